"""Where the routes keep what was asked."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Protocol, Union


class Store(Protocol):
    """Where the routes keep what was asked: one for all processes of the website. It holds nonces: nobody else may read it.

    `take` reads a value and removes it in one atomic step: of several callers at once exactly one gets the value (GETDEL of Redis).
    """

    def put(self, key: str, value: str, ttl_seconds: int) -> Any: ...

    def get(self, key: str) -> Union[str, bytes, None]: ...

    def take(self, key: str) -> Union[str, bytes, None]: ...


class MemoryStore:
    """A store for one process: everything in it is gone when the process ends. Beyond `max_entries`, the oldest values go first."""

    def __init__(self, max_entries: int = 10_000, now: Callable[[], float] = time.monotonic) -> None:
        self._entries: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()
        self._max, self._now = max_entries, now

    def put(self, key: str, value: str, ttl_seconds: int) -> None:
        with self._lock:
            self._entries.pop(key, None)
            if len(self._entries) >= self._max:
                self._entries = {name: one for name, one in self._entries.items() if one[1] > self._now()}
            while len(self._entries) >= self._max:
                del self._entries[next(iter(self._entries))]
            self._entries[key] = (value, self._now() + ttl_seconds)

    def get(self, key: str) -> str | None:
        with self._lock:
            value, ends_at = self._entries.get(key, ("", 0.0))
            return value if ends_at > self._now() else None

    def take(self, key: str) -> str | None:
        with self._lock:
            value, ends_at = self._entries.pop(key, ("", 0.0))
            return value if ends_at > self._now() else None
