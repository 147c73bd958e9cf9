from ragproof_core import hookimpl


class Metric:
    api_version = 1
    direction = "higher"

    @hookimpl
    def score(self):
        return 0.25


class Adapter:
    api_version = 1

    @hookimpl
    def answer(self):
        return "a"
