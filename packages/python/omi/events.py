"""Reads what OMI delivers: the data of a record of a stream, or the lines of an object in a bucket."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from datetime import datetime
from typing import Any, Callable, Iterable

Event = dict[str, Any]
Handler = Callable[[Event], None]


def unwrap(data: str | bytes) -> list[Event]:
    """The events of one record, or of one line."""
    events = json.loads(data).get("events")
    if not isinstance(events, list):
        raise ValueError("This is no record of OMI")
    return events


def unwrap_lines(data: bytes) -> list[Event]:
    """The events of an object. A line ends with \\n alone: U+2028, at which str.splitlines cuts, may be in a text."""
    return [event for line in data.split(b"\n") if line for event in unwrap(line)]


TIME = re.compile(r"(.{10}T\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)")


def moment_of(event: Event) -> float:
    """Seconds since 1970. Producers may write any ISO 8601, also forms that datetime does not know."""
    found = TIME.fullmatch(event["metadata"]["occurredTime"])
    if found is None:
        raise ValueError("occurredTime is not an ISO 8601 time.")
    minute, second, fraction, hours, minutes = found.groups()
    start = datetime.fromisoformat(f"{minute}:00{hours or '+00'}:{minutes or '00'}")
    return start.timestamp() + float(f"{second or '00'}.{fraction or '0'}")


def in_order(events: Iterable[Event]) -> list[Event]:
    """For what was read from a bucket. Events of the same moment stay as they were."""
    return sorted(events, key=moment_of)


class SeenEvents:
    """The ids of the last so many events."""

    def __init__(self, capacity: int = 100_000) -> None:
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._capacity = capacity

    def __contains__(self, event: Event) -> bool:
        return _key_of(event) in self._keys

    def add(self, event: Event) -> None:
        self._keys[_key_of(event)] = None
        while len(self._keys) > self._capacity:
            self._keys.popitem(last=False)


def _key_of(event: Event) -> str:
    """With the tenant: a stream may serve several."""
    metadata = event["metadata"]
    return f"{metadata['tenantId']}/{metadata['eventId']}".lower()


def _major_of(version: str) -> str:
    return version.split(".")[0]


class Handlers:
    """What to do with events."""

    def __init__(self, public: dict[tuple[str, str], Handler], log: Handler, other: Handler) -> None:
        self._public = public  # by type and major version of the payload: ("UserSignedInEvent", "1")
        self._log = log
        self._other = other  # for a type or a major version that this program does not know

    def of(self, event: Event) -> Handler:
        metadata = event["metadata"]
        if _major_of(metadata["metadataVersion"]) != "1":
            return self._other
        if metadata["category"] == "log":
            return self._log
        return self._public.get((metadata["type"], _major_of(metadata.get("payloadVersion", ""))), self._other)


def handle(events: Iterable[Event], handlers: Handlers, seen: SeenEvents) -> None:
    """Handles events one after the other, each once. An event whose handler raises is not seen: it comes again."""
    for event in events:
        if event in seen:
            continue
        handlers.of(event)(event)
        seen.add(event)
