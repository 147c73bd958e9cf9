class PanicException(BaseException):
    """What native extensions raise when they give up; no Exception."""


raise PanicException("called unwrap() on None")
