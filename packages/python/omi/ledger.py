"""Compares a copy of the events with the service's ledger, names what is missing, and asks for its replay."""

from __future__ import annotations

import hashlib
import time
import urllib.parse
from collections import defaultdict
from datetime import datetime, timezone
from typing import Any, Iterable, Iterator

from omi.calls import Caller
from omi.events import Event, moment_of

HOUR = 3600
SETTLED_AFTER = 15 * 60  # a bucket gets its events after 5 minutes, and a stream's retries take less
MODULUS = 2**256
READ = ["omi:exports:get"]

Sums = dict[str, list[int]]  # by type: how many events, and the sum of the hashes of their ids


class Exports:
    """The service's API for tenants, as far as it is about the ledger: `Omi(…).exports`."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def target(self, category: str) -> dict[str, Any]:
        exports = self._caller.call("GET", "/omi/exports", READ)["exports"]
        return next(one for one in exports if one["category"] == category)

    def ledger(self, category: str, start: float, end: float) -> list[dict[str, Any]]:
        query = urllib.parse.urlencode({"from": rfc3339(start), "to": rfc3339(end)})
        return self._caller.call("GET", f"/omi/exports/{category}/ledger?{query}", READ)["hours"]

    def event_ids(self, category: str, hour: str) -> Iterator[str]:
        cursor = None
        while True:
            query = "" if cursor is None else "?" + urllib.parse.urlencode({"cursor": cursor})
            path = f"/omi/exports/{category}/ledger/{urllib.parse.quote(hour, safe='')}{query}"
            page = self._caller.call("GET", path, READ)
            yield from page["eventIds"]
            cursor = page.get("cursor")
            if cursor is None:
                return

    def replay(self, category: str, start: float, end: float, types: list[str]) -> dict[str, Any]:
        body = {"from": rfc3339(start), "to": rfc3339(end), "types": types}
        return self._caller.call("POST", f"/omi/exports/{category}/replays", ["omi:exports:post"], body, repeat=False)


def rfc3339(moment: float) -> str:
    text = datetime.fromtimestamp(moment, timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def start_of(hour: str) -> float:
    return datetime.fromisoformat(hour.replace("Z", "+00:00")).timestamp()


def hash_of(event_id: str) -> int:
    return int.from_bytes(hashlib.sha256(event_id.encode()).digest(), "big")


class Copy:
    """The ids of a tenant's copy, read once. Duplicates count once."""

    def __init__(self, events: Iterable[Event], category: str) -> None:
        self.types: dict[str, str] = {}
        self._sums: defaultdict[float, Sums] = defaultdict(dict)
        for event in events:
            metadata = event["metadata"]
            event_id, key = metadata["eventId"], metadata["eventId"].lower()
            if metadata["category"] != category or key in self.types:
                continue
            self.types[key] = metadata["type"]
            hour = probable_acceptance(event) // HOUR * HOUR
            add(self._sums[hour], metadata["type"], hash_of(event_id))

    def has_exactly(self, hour: dict[str, Any], types: list[str]) -> bool:
        own = self._sums.get(start_of(hour["hour"]), {})
        return all(own.get(name, [0, 0]) == ledger_sum(hour["types"][name]) for name in types)


def probable_acceptance(event: Event) -> float:
    """The time in a UUID of version 7, or else the producer's. A wrong guess costs one more call and changes no result."""
    event_id = event["metadata"]["eventId"]
    return int(event_id[:8] + event_id[9:13], 16) / 1000 if event_id[14] == "7" else moment_of(event)


def add(sums: Sums, name: str, number: int) -> None:
    count, total = sums.get(name, [0, 0])
    sums[name] = [count + 1, (total + number) % MODULUS]


def ledger_sum(entry: dict[str, Any]) -> list[int]:
    return [entry["count"], int(entry["digest"], 16)]


def find_missing(hour: dict[str, Any], event_ids: Iterable[str], copy: Copy, types: list[str]) -> dict[str, Any]:
    """Compares an hour id by id. A filter of types may hide which of the absent ids should be there."""
    listed: dict[str, list[int]] = {}
    found: dict[str, list[int]] = {}
    absent: dict[int, str] = {}
    for event_id in event_ids:
        number = hash_of(event_id)
        add(listed, "", number)
        name = copy.types.get(event_id.lower())
        if name is None:
            absent[number] = event_id
        else:
            add(found, name, number)
    if listed.get("", [0, 0]) != ledger_sum(hour):
        raise ValueError(f"The ids of {hour['hour']} do not match its digest")
    gaps = {}
    for name in types:
        (expected, total), (count, sum_found) = ledger_sum(hour["types"][name]), found.get(name, [0, 0])
        if expected > count:
            gaps[name] = (expected - count, (total - sum_found) % MODULUS)
    is_all = sum(absent) % MODULUS == sum(total for _, total in gaps.values()) % MODULUS
    single = {total for count, total in gaps.values() if count == 1}
    named = [event_id for number, event_id in absent.items() if is_all or number in single]
    return {"count": sum(count for count, _ in gaps.values()), "eventIds": named, "types": sorted(gaps)}


def reconcile(
    exports: Exports,
    category: str,
    start: float,
    end: float,
    copy: Iterable[Event],
    repair: bool = False,
    now: float | None = None,
) -> dict[str, Any]:
    """The hours with what is missing in each. Hours that are not over, or whose events still wait, are not judged."""
    target = exports.target(category)
    waiting = target.get("oldestWaitingAt")
    unjudged_from = min((time.time() if now is None else now) - SETTLED_AFTER, start_of(waiting) if waiting else float("inf"))
    ledger = exports.ledger(category, start, end)
    own = Copy(copy, category)
    hours = []
    for hour in ledger:
        types = [name for name in hour["types"] if not target.get("types") or name in target["types"]]
        result = {"hour": hour["hour"], "status": "complete"}
        if not hour["final"] or start_of(hour["hour"]) + HOUR > unjudged_from:
            result["status"] = "unjudged"
        elif not own.has_exactly(hour, types):
            missing = find_missing(hour, exports.event_ids(category, hour["hour"]), own, types)
            if missing["count"]:
                result.update(status="incomplete", missing=missing)
        hours.append(result)
    gaps = [one for one in hours if one["status"] == "incomplete"]
    for gap in gaps if repair else []:
        first = start_of(gap["hour"])
        gap["replay"] = exports.replay(category, first, first + HOUR, gap["missing"]["types"])
    event_ids = [event_id for gap in gaps for event_id in gap["missing"]["eventIds"]]
    unjudged = [one["hour"] for one in hours if one["status"] == "unjudged"]
    return {"complete": not gaps and not unjudged, "unjudged": unjudged, "missing": event_ids, "hours": hours}
