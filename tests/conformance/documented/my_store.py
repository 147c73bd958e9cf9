"""The store that the page on testing speaks of: the toy store of the mutants."""

from toy_store import Toy

Store = Toy
