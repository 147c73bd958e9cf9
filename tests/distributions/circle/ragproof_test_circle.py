from ragproof_core import hookimpl


class First:
    api_version = 1
    direction = "higher"
    after = ("circle.second",)

    @hookimpl
    def score(self):
        return 1.0


class Second(First):
    after = ("circle.first",)


class Itself(First):
    after = ("circle.itself",)


class Outside(First):
    """Comes after one of a circle, and is in none."""

    after = ("circle.first",)
