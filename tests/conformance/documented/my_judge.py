"""The judge that the page on testing speaks of: the toy judge of the mutants."""

from toy_judge import Toy

Judge = Toy
