"""Verifies inclusions that the test gives, and prints for each the size of the checkpoint, or the code of what is wrong."""

import json
import sys

from omi import LogError, event_texts, verify_inclusion, verify_restored

given = json.load(sys.stdin)


def outcome(call):
    try:
        return call()
    except LogError as error:
        return error.code


def included(case):
    return verify_inclusion(
        case["text"],
        case["proof"],
        case["checkpoint"],
        keys=case.get("keys", given["keys"]),
        base_url=case.get("baseUrl", given["baseUrl"]),
        former_base_urls=case.get("formerBaseUrls", ()),
    ).size


def restored(case):
    return verify_restored(case["before"], case["after"], case["path"], keys=given["keys"]).size


print(
    json.dumps(
        {
            "inclusions": [outcome(lambda: included(case)) for case in given.get("cases", [])],
            "restored": [outcome(lambda: restored(case)) for case in given.get("restored", [])],
            "texts": [outcome(lambda: event_texts(record)) for record in given.get("records", [])],
        }
    )
)
