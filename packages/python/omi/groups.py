"""Who of several people confirmed: proved from what was kept, without the service.

As a program it reads files:

python3 -m omi.groups --group kept.json --message @message.txt --keys omi-keys.json
    [--details details.json] [--nonce N] [--members USER …] [--base-url URL …] [--test-users]

kept.json is the final group as your website kept it, or the body of a callback.
Prints JSON, and ends with 1 if something is not proved.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Iterable

from omi.evidence import FAULTS, UNKNOWN, EvidenceError, Json, details_digest, digest, need, prove
from omi.evidence import read_json, record_of, text_in, time_of, urls_in


def verify_group(
    group: Json,
    *,
    members: list[str],
    required: int,
    message: str,
    nonce: str,
    keys: Json,
    base_url: str,
    details: list[Json] | None = None,
    requested_from: Any = None,
    tenant_id: str | None = None,
    known_keys: Iterable[str] | None = None,
    former_base_urls: Iterable[str] = (),
    test_users: bool = False,
) -> dict[str, Json]:
    """Verifies without the service that as many different members confirmed as must, each on a device of their own.

    :returns: the claims of each member who confirmed, by user id
    :raises EvidenceError: `status` if the group is not approved, `votes` if too few members confirmed
    """
    need(group.get("status") == "approved", "status")
    votes = [vote for vote in group.get("votes", []) if vote.get("status") == "confirmed"]
    tenant = tenant_id if tenant_id is not None or not votes else votes[0]["tenantId"]
    group_id = digest("\n".join([str(tenant), nonce, str(required), *sorted(members)]))
    shown = {"id": group_id, "required": required, "of": len(members)}
    proved: dict[str, Json] = {}
    for vote in votes:
        user_id: Any = vote["userId"]
        need(user_id in members, "votes")
        claims = {
            "challengeId": digest(f"{group_id}\n{user_id}"),
            "messageHash": digest(message),
            "detailsHash": details_digest(details),
            "tid": tenant,
        }
        answer, _, context = prove(
            vote,
            keys=keys,
            base_url=base_url,
            former_base_urls=former_base_urls,
            test_users=test_users,
            known_keys=known_keys,
            claims=claims,
            purpose=None,
            requested_from=requested_from,
        )
        need(context.get("group") == shown, "group")
        proved[user_id] = answer
    need(required >= 1 and len(proved) >= required, "votes")
    return proved


GROUP_FAULTS = {
    **FAULTS,
    "record": "the file is not a final group, or a callback with one",
    "status": "the group is not approved",
    "challengeId": "the votes are for another question: tenant, nonce, members or the number of those who must confirm differ",
}


def audit_group(
    kept: Any,
    message: str,
    keys: Json,
    *,
    details: str | None = None,
    nonce: str | None = None,
    members: list[str] | None = None,
    base_urls: list[str] | None = None,
    test_users: bool = False,
    known_keys: Iterable[str] | None = None,
) -> Json:
    """What the files prove of a group: `proved`, and then a `statement` or the `failure`.

    :param members: the user ids of all members. Without it, those of the votes: the vote of an erased user is missing there.
    """
    try:
        group = _group_of(kept)
        members = group["members"] if members is None else members
        asked = None if details is None else read_json(details, "detailsHash")
        urls = base_urls or list(dict.fromkeys(url for vote in group["votes"] for url in urls_in(vote)))
        need(base_urls is not None or len(urls) <= 1, "base-url")
        tenant = group["votes"][0]["tenantId"] if group["votes"] else ""
        proved = verify_group(
            group,
            members=members,
            required=group["required"],
            message=message,
            nonce=(group.get("nonce") if nonce is None else nonce) or "",
            keys=keys,
            base_url=urls[0] if urls else "",
            details=asked,
            requested_from=UNKNOWN,
            tenant_id=tenant,
            known_keys=known_keys,
            former_base_urls=urls[1:],
            test_users=test_users,
        )
    except EvidenceError as error:
        return {"proved": False, "failure": {"code": error.code, "text": GROUP_FAULTS[error.code]}}
    statement = {
        "tenantId": tenant,
        "message": message,
        "required": group["required"],
        "members": members,
        **({} if details is None else {"details": details}),
        "confirmedBy": [_vote_of(user_id, answer) for user_id, answer in proved.items()],
    }
    return {"proved": True, "statement": statement}


def _vote_of(user_id: str, answer: Json) -> Json:
    return {
        "userId": user_id,
        "deviceId": answer["iss"],
        "answeredAt": time_of(answer["iat"]),
        "userVerified": "userVerification" in answer,
    }


def _group_of(value: Any) -> Json:
    """A final group, from what was kept."""
    need(isinstance(value, dict), "record")
    kept: Json = value["data"] if isinstance(value.get("data"), dict) else value
    votes, required = kept.get("votes"), kept.get("required")
    need(isinstance(votes, list) and all(isinstance(vote, dict) for vote in votes or []), "record")
    need(isinstance(kept.get("status"), str) and isinstance(kept.get("nonce", ""), str), "record")
    need(isinstance(required, (int, float)) and not isinstance(required, bool), "record")
    members = [vote.get("userId") for vote in votes or []]
    need(all(isinstance(member, str) for member in members), "record")
    # Only those who confirmed have evidence.
    confirmed = [record_of(vote) for vote in votes or [] if vote.get("status") == "confirmed"]
    return {**kept, "votes": confirmed, "members": members}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Proves who of several people confirmed.")
    for name in ("--group", "--message", "--keys"):
        parser.add_argument(name, required=True)
    for name in ("--details", "--nonce"):
        parser.add_argument(name)
    for name in ("--base-url", "--members"):
        parser.add_argument(name, nargs="+")
    parser.add_argument("--test-users", action="store_true")
    given = parser.parse_args(arguments)
    result = audit_group(
        json.loads(text_in("@" + given.group)),
        text_in(given.message),
        json.loads(text_in("@" + given.keys)),
        details=None if given.details is None else text_in("@" + given.details),
        nonce=given.nonce,
        members=given.members,
        base_urls=given.base_url,
        test_users=given.test_users,
    )
    print(json.dumps(result, indent=2, ensure_ascii=False))
    return 0 if result["proved"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
