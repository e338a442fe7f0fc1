"""Does what standard input says with the package `omi`, and prints the outcome."""

import json
import os
import sys

from omi import EvidenceError, Omi, OmiError, verify_callback, verify_group, verify_id_token


def new_omi(given):
    return Omi(given["baseUrl"], given["tokenUrl"], given["clientId"], given["clientSecret"], tenant_id=given["tenantId"])


def confirm(given):
    return new_omi(given["service"]).confirm(**given["asked"])


def confirm_group(given):
    omi = new_omi(given["service"])
    group = omi.confirm_group(**given["asked"])
    proved = {}
    if group["status"] == "approved":
        trust = {"keys": omi.keys(), "base_url": omi.base_url}
        proved = verify_group(group, **{**given["asked"], **trust, **given.get("changes", {})})
    return {**group, "proved": list(proved)}


def calls(given):
    """Each call of the list: the name of a method, and its arguments."""
    omi = new_omi(given["service"])
    return [outcome_of(lambda: getattr(omi, name)(*arguments)) for name, *arguments in given["calls"]]


def callbacks(given):
    return [
        outcome_of(lambda: verify_callback(one["headers"], one["body"].encode(), given["secrets"], **one.get("options", {})))
        for one in given["received"]
    ]


def id_tokens(given):
    return [outcome_of(lambda: verify_id_token(given["token"], **{**given["asked"], **one})) for one in given["changes"]]


def environment(given):
    os.environ.update(given["variables"])
    return Omi.from_environment().base_url


def outcome_of(work):
    try:
        return {"result": work()}
    except (OmiError, EvidenceError) as error:
        return {"error": type(error).__name__, "code": error.code, "text": str(error)}


TASKS = {one.__name__: one for one in (confirm, confirm_group, calls, callbacks, id_tokens, environment)}
task = json.load(sys.stdin)
print(json.dumps(outcome_of(lambda: TASKS[task["task"]](task))))
