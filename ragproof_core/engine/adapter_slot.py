"""The adapter in use, which may be replaced while cases run."""

from __future__ import annotations

import threading

from ragproof_core.errors import ConfigError
from ragproof_core.plugins.component import Component


class AdapterSlot:
    """Holds the adapter. After a timeout it is rebuilt where a stuck call would be in the way of the next ones.

    That is so for an adapter with ``async def`` hooks (its event loop may be blocked) and for one that takes a
    limited number of calls at once (the stuck call is still inside it).
    """

    def __init__(self, component: Component) -> None:
        self.component = component
        self._lock = threading.Lock()

    def renew(self, stuck: Component) -> frozenset[int]:
        """Replace the adapter that got stuck, once, if that helps and it can be built again.

        Returns the identifiers of the threads whose calls were released, to be made again on the new one. One that
        cannot be built a second time stays in use: the calls behind the stuck one time out as well.
        """
        with self._lock:
            if stuck is not self.component or stuck.rebuild is None:
                return frozenset()
            if stuck.loop is None and stuck.max_concurrency is None:
                return frozenset()
            try:
                successor = stuck.rebuild()
            except ConfigError:
                return frozenset()
            stuck.successor = self.component = successor
        return stuck.loop.release_blocked() if stuck.loop is not None else frozenset()
