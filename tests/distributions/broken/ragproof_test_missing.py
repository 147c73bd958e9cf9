import a_dependency_that_nobody_has  # noqa: F401
