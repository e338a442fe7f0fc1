"""Who confirmed what, when and on which device: proved from what was kept, without the service.

As a program it reads files:

python3 -m omi.evidence --confirmation kept.json --message @message.txt --keys omi-keys.json
    [--details details.json] [--nonce N] [--base-url URL …] [--events FILE_OR_FOLDER …] [--test-users]

kept.json is the final confirmation as your website kept it, the body of a callback, or an exported event with evidence.
Prints JSON, and ends with 1 if something is not proved.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import ipaddress
import json
import re
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

Json = dict[str, Any]

UNKNOWN = object()  # not compared; None says that there was none
CLOCKS = 5 * 60  # seconds by which clocks may differ
DECISIONS = {"confirmed": "confirm", "denied": "deny"}
FINAL_EVENTS = {"PushNotificationConfirmedEvent": "confirmed", "PushNotificationDeniedEvent": "denied"}

FAULTS = {
    "record": "the file is not a final confirmation, a callback or an event with evidence",
    "status": "the user neither confirmed nor denied",
    "votes": "too few members of the group confirmed",
    "missing": "evidence, deviceKey, context or receipt is missing",
    "malformed": "the evidence is not a JWS",
    "header": "the evidence's header has other parameters than alg, typ and kid",
    "alg": "the evidence is not signed with ES256",
    "typ": "the evidence is not the answer of a device",
    "kid": "the evidence is of another device than the confirmation names",
    "device-key": "deviceKey is not a public key on P-256",
    "unknown-key": "deviceKey is not one of the keys that were kept for the user",
    "signature": "the signature of the evidence is not that of deviceKey",
    "jkt": "the device signed with another key than deviceKey",
    "iss": "another device answered",
    "sub": "another user answered",
    "tid": "the answer is for another tenant",
    "aud": "the answer is for another service",
    "challengeId": "the answer is for another question: tenant or nonce differ",
    "messageHash": "the user saw another message",
    "detailsHash": "the user saw other details",
    "contextHash": "the user saw another context: requester, purpose, origin or mode of verification",
    "decision": "the user decided otherwise",
    "context": "the context is not a JSON object that an app could have shown",
    "purpose": "the confirmation had another purpose",
    "requestedFrom": "the request came from elsewhere",
    "subjectDeviceId": "the confirmation removes another device",
    "group": "the device showed another group",
    "receipt": "the receipt is not a receipt of an enrolment",
    "receipt-key": "no key for receipts in the key document has the kid of the receipt",
    "receipt-time": "the key of the receipt was not in use when the receipt was signed",
    "receipt-signature": "the signature of the receipt is not that of the service's key",
    "receipt-iss": "the receipt is of another service",
    "receipt-tid": "the receipt is of another tenant",
    "receipt-sub": "the receipt is of another user",
    "receipt-deviceId": "the receipt is of another device",
    "receipt-jkt": "the service received another key when the device was enrolled",
    "receipt-by": "the receipt is of a test user, or gives an unknown reason for the enrolment",
    "user-verified": "userVerified differs from what was signed, or the verification that was required is missing",
    "passkey": "the passkey's assertion is malformed",
    "passkey-id": "the assertion is of another passkey than the enrolled one",
    "passkey-key": "passkeyKey is not the key of the enrolled passkey",
    "passkey-challenge": "the passkey verified the user for something else",
    "passkey-rpId": "the passkey verified the user for another app",
    "passkey-flags": "the passkey did not verify the user",
    "passkey-signature": "the assertion's signature is not that of passkeyKey",
    "decidedAt": "the time of the decision differs from the signed one by more than 5 minutes",
    "reason": "the reason differs from the signed one",
    "base-url": "answer and receipt name different base URLs: name those of the service",
    "event-missing": "the exported events have none of this answer: add those of its day",
    "event-differs": "an exported event of this confirmation says something else",
    "enrolment-differs": "the exported event of the enrolment has another key, user or receipt",
    "removed-before": "the device was removed before the answer",
}


class EvidenceError(Exception):
    """`code` names the check that failed."""

    def __init__(self, code: str) -> None:
        super().__init__(FAULTS[code])
        self.code = code


def need(condition: bool, code: str) -> None:
    if not condition:
        raise EvidenceError(code)


# Texts, bytes and signatures.


def digest(data: str | bytes) -> str:
    data = data.encode() if isinstance(data, str) else data
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def from_base64url(text: Any, code: str) -> bytes:
    """Refuses what is not the one text of its bytes."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text, code)
        return data
    except (TypeError, ValueError):
        raise EvidenceError(code) from None


def _unique(pairs: list[tuple[str, Any]]) -> Json:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a member twice")
    return names


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def read_object(data: str | bytes, code: str) -> Json:
    """Some programs read the first of two members with the same name, and some the last."""
    try:
        text = data.decode() if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise EvidenceError(code) from None
    need(isinstance(value, dict), code)
    return value


# The members that the device shows, and the types of theirs. A member that is named with None may be absent.
_SHAPES: dict[str, dict[str, tuple[type | None, ...]]] = {
    "requester": {"tenant": (str,), "client": (str,)},
    "device": {"deviceId": (str,), "name": (str,)},
    "requestedFrom": {"browser": (str, None), "place": (str, None), "ip": (str, None)},
    "group": {"id": (str,), "required": (int,), "of": (int,)},
}


def _has_shape(value: Any, shape: dict[str, tuple[type | None, ...]]) -> bool:
    return isinstance(value, dict) and all(
        type(value[name]) in types if name in value else None in types for name, types in shape.items()
    )


def read_context(text: str) -> Json:
    """The context, as an app could have shown it: a member of another type could not have been read."""
    context = read_object(text, "context")
    need(isinstance(context.get("purpose", ""), str), "context")
    need(context.get("userVerification") in ("off", "preferred", "required"), "context")
    for name, shape in _SHAPES.items():
        need(name not in context or _has_shape(context[name], shape), "context")
    return context


def read_json(text: str, code: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise EvidenceError(code) from None


def read_jws(text: str, code: str, largest: int = 8192) -> tuple[Json, Json, bytes, bytes]:
    """Header, claims, signed bytes and signature of a JWS in compact form."""
    parts = text.split(".") if len(text) <= largest else []
    need(len(parts) == 3, code)
    header, claims, signature = (from_base64url(part, code) for part in parts)
    return read_object(header, code), read_object(claims, code), ".".join(parts[:2]).encode(), signature


def thumbprint(jwk: Json) -> str:
    """RFC 7638."""
    members = {"crv": "P-256", "kty": "EC", "x": jwk.get("x"), "y": jwk.get("y")}
    return digest(json.dumps(members, separators=(",", ":")))


def is_signed(jwk: Json, signature: bytes, data: bytes, code: str) -> bool:
    """Verifies r and s by a public key on P-256. Raises with this code if it is none."""
    need(jwk.get("kty") == "EC" and jwk.get("crv") == "P-256", code)
    x, y = (int.from_bytes(from_base64url(jwk.get(name), code), "big") for name in ("x", "y"))
    try:
        key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    except ValueError:
        raise EvidenceError(code) from None
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        key.verify(encode_dss_signature(r, s), data, ec.ECDSA(SHA256()))
        return True
    except InvalidSignature:
        return False


def seconds_of(time: Any) -> float:
    """RFC 3339. What is no time fails every comparison."""
    try:
        return datetime.fromisoformat(str(time).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return float("nan")


# The check of the evidence.


def verify_evidence(
    confirmation: Json,
    *,
    keys: Json,
    base_url: str,
    nonce: str,
    user_id: str,
    message: str,
    details: list[Json] | None = None,
    device_id: str | None = None,
    tenant_id: str | None = None,
    **known: Any,
) -> Json:
    """Verifies that the user's enrolled device signed this decision about what was asked, and that the service vouches for its key.

    Pass your own records of the question. Without `device_id` and `tenant_id`, those of the confirmation count. `known` may have
    `purpose` and `requested_from` (compared if they are there; None says that there was none), `subject_device_id`, `known_keys`
    (thumbprints of the user's keys), `former_base_urls`, and `test_users`.

    :param confirmation: the final confirmation; nothing in it is trusted
    :param keys: the answer of `GET /.well-known/omi-keys`
    :returns: the claims of the answer
    :raises EvidenceError: with the check that failed as its `code`
    """
    tenant = confirmation["tenantId"] if tenant_id is None else tenant_id
    own = {"sub": user_id, "tid": tenant, **({} if device_id is None else {"iss": device_id})}
    claims = {**question(tenant, nonce, message, details_digest(details)), **own}
    return prove(confirmation, keys=keys, base_url=base_url, claims=claims, **known)[0]


def shown_origin(origin: Json | None) -> Json | None:
    """As the service shows it: an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) as the IPv4 address."""
    try:
        mapped = getattr(ipaddress.ip_address((origin or {}).get("ip", "")), "ipv4_mapped", None)
    except ValueError:
        return origin
    return {**(origin or {}), "ip": str(mapped)} if mapped else origin


def details_digest(details: list[Json] | None) -> str | None:
    """Of the list as JSON.stringify writes it."""
    return None if details is None else digest(_stringify(json.loads(json.dumps(details), parse_int=float)))


def prove(
    confirmation: Json,
    *,
    keys: Json,
    base_url: str,
    claims: Json,
    former_base_urls: Iterable[str] = (),
    test_users: bool = False,
    known_keys: Iterable[str] | None = None,
    purpose: Any = UNKNOWN,
    requested_from: Any = UNKNOWN,
    subject_device_id: str | None = None,
    passed: Callable[[str], None] = lambda check: None,
) -> tuple[Json, Json, Json]:
    """Verifies that the user's enrolled device signed this decision about this question, as it showed it.

    :param confirmation: the final confirmation; nothing in it is trusted
    :param keys: the answer of `GET /.well-known/omi-keys`
    :param claims: what you asked, by `question()`; also `sub`, `tid` and `iss`, if you know user, tenant and device
    :returns: the claims of the answer, those of the receipt, and the context
    """
    urls = [base_url, *former_base_urls]
    decision = DECISIONS.get(confirmation["status"])
    need(decision is not None, "status")
    names = ("evidence", "deviceKey", "context", "receipt")
    parts: list[Any] = [confirmation.get(name) for name in names]
    evidence, device_key, context_text, receipt_text = parts
    need(None not in (evidence, device_key, context_text, receipt_text), "missing")
    need(confirmation.get("deviceId") is not None, "missing")

    header, answer, signed, signature = read_jws(evidence, "malformed")
    need(header.get("alg") == "ES256", "alg")
    need(header.get("typ") == "omi-response+jws", "typ")
    need(header.get("kid") == confirmation["deviceId"], "kid")
    # Other parameters could mean that the JWS is read in another way, such as crit or b64.
    need(set(header) == {"alg", "typ", "kid"}, "header")
    jkt = thumbprint(device_key)
    need(known_keys is None or jkt in known_keys, "unknown-key")
    need(is_signed(device_key, signature, signed, "device-key"), "signature")
    # Another key can be found that verifies the same signature. It has another thumbprint.
    need(answer.get("jkt") == jkt, "jkt")
    passed("signature")

    expected = {
        "iss": confirmation["deviceId"],
        "sub": confirmation["userId"],
        "tid": confirmation["tenantId"],
        "aud": answer.get("aud") if answer.get("aud") in urls else base_url,
    }
    need(isinstance(answer.get("iat"), (int, float)), "malformed")
    for name, value in [*expected.items(), *claims.items(), ("decision", decision)]:
        need(answer.get(name) == value, name)
    passed("question")

    need(answer.get("contextHash") == digest(context_text), "contextHash")
    context = read_context(context_text)
    need(purpose is UNKNOWN or context.get("purpose") == purpose, "purpose")
    need(requested_from is UNKNOWN or context.get("requestedFrom") == shown_origin(requested_from), "requestedFrom")
    subject = context.get("device") or {}
    need(subject_device_id is None or subject.get("deviceId") == subject_device_id, "subjectDeviceId")
    passed("context")

    enrolled = {"tid": expected["tid"], "sub": expected["sub"], "deviceId": expected["iss"], "jkt": jkt}
    receipt = _check_receipt(receipt_text, enrolled, keys, urls, test_users)
    passed("receipt")

    verified = confirmation.get("userVerified", False)
    is_required = context.get("userVerification") == "required" and decision == "confirm"
    need(verified == ("userVerification" in answer) and (verified or not is_required), "user-verified")
    if verified:
        _check_passkey(answer, confirmation.get("passkeyKey"), receipt.get("passkey"))
        passed("passkey")
    return answer, receipt, context


def question(tenant_id: str, nonce: str, message: str, details_hash: str | None = None) -> Json:
    """The claims by which an answer names its question."""
    challenge_id = digest(f"{tenant_id}\n{nonce}")
    return {"challengeId": challenge_id, "messageHash": digest(message), "detailsHash": details_hash}


def _check_receipt(text: str, enrolled: Json, keys: Json, urls: list[str], test_users: bool) -> Json:
    """The service received this key from this device when the user enrolled it."""
    header, claims, signed, signature = read_jws(text, "receipt")
    need(set(header) == {"alg", "typ", "kid"}, "receipt")
    need(header["alg"] == "ES256" and header["typ"] == "omi-receipt+jwt", "receipt")
    named = (one for one in keys["keys"] if one["kid"] == header["kid"] and one["for"] == "receipt")
    key: Any = next(named, None)
    need(key is not None, "receipt-key")
    iat = claims.get("iat")
    iat = iat if isinstance(iat, (int, float)) else float("nan")
    until = seconds_of(key["until"]) if key.get("until") is not None else float("inf")
    need(seconds_of(key["from"]) - CLOCKS <= iat <= until + CLOCKS, "receipt-time")
    need(is_signed(key, signature, signed, "receipt-signature"), "receipt-signature")
    need(claims.get("iss") in urls, "receipt-iss")
    for name, value in enrolled.items():
        need(claims.get(name) == value, f"receipt-{name}")
    reasons = ["first", "free", "confirmation", "recovery", *(["test"] if test_users else [])]
    need(claims.get("by") in reasons, "receipt-by")
    need("passkey" not in claims or isinstance(claims["passkey"], dict), "receipt")
    return claims


def _check_passkey(answer: Json, passkey_key: Any, passkey: Any) -> None:
    """The passkey of the enrolment verified the user for this very decision (Web Authentication Level 3)."""
    assertion = answer["userVerification"]
    need(isinstance(assertion, dict) and bool(passkey_key), "user-verified")
    data, client, der = (
        from_base64url(assertion.get(name), "passkey")
        for name in ("authenticatorData", "clientDataJSON", "signature")
    )
    try:
        r, s = decode_dss_signature(der)
        signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    except (ValueError, OverflowError):
        raise EvidenceError("passkey") from None
    need(passkey is not None and passkey.get("id") == assertion.get("id"), "passkey-id")
    need(passkey.get("jkt") == thumbprint(passkey_key), "passkey-key")
    client_data = read_object(client, "passkey")
    names = ("challengeId", "messageHash", "contextHash", "decision", "detailsHash")
    challenge = digest(".".join(answer[name] for name in names if name in answer))
    is_ours = client_data.get("type") == "webauthn.get" and client_data.get("challenge") == challenge
    need(is_ours and client_data.get("crossOrigin") is not True, "passkey-challenge")
    need(data[:32] == hashlib.sha256(str(passkey.get("rpId")).encode()).digest(), "passkey-rpId")
    user_present, user_verified = 0x01, 0x04
    need(len(data) > 32 and data[32] & user_present != 0 and data[32] & user_verified != 0, "passkey-flags")
    signed = data + hashlib.sha256(client).digest()
    need(is_signed(passkey_key, signature, signed, "passkey-signature"), "passkey-signature")


# The audit of files.


def record_of(value: Any) -> Json:
    """A final confirmation, from what was kept."""
    need(isinstance(value, dict), "record")
    if isinstance(value.get("metadata"), dict):
        metadata, payload = value["metadata"], value.get("payload")
        need(metadata.get("type") in FINAL_EVENTS and isinstance(payload, dict), "record")
        members = {
            "tenantId": metadata.get("tenantId"),
            "status": FINAL_EVENTS[metadata["type"]],
            "decidedAt": metadata.get("occurredTime"),
        }
        value = {**payload, **members}
    elif isinstance(value.get("data"), dict):
        value = value["data"]
    for name in ("status", "tenantId", "userId", "deviceId"):
        need(isinstance(value.get(name), str), "record")
    for name in ("nonce", "evidence", "context", "receipt"):
        need(isinstance(value.get(name, ""), str), "record")
    for name in ("deviceKey", "passkeyKey"):
        need(isinstance(value.get(name, {}), dict), "record")
    return value


def audit(
    kept: Any,
    message: str,
    keys: Json,
    *,
    details: str | None = None,
    nonce: str | None = None,
    base_urls: list[str] | None = None,
    test_users: bool = False,
    known_keys: Iterable[str] | None = None,
    events: Iterable[Json] | None = None,
) -> Json:
    """What the files prove: `proved`, the `steps` that did, and then a `statement` or the `failure`."""
    steps: list[str] = []
    try:
        record = record_of(kept)
        urls = base_urls or urls_in(record)
        need(base_urls is not None or len(urls) <= 1, "base-url")
        answer, receipt, context = prove(
            record,
            keys=keys,
            base_url=urls[0] if urls else "",
            former_base_urls=urls[1:],
            claims=_claims_of(record, message, details, nonce),
            test_users=test_users,
            known_keys=known_keys,
            passed=steps.append,
        )
        _check_record(record, answer)
        steps.append("record")
        if events is not None:
            _check_events(events, record, answer, receipt)
            steps.append("events")
        return {"proved": True, "steps": steps, "statement": _statement(answer, receipt, context, message, details)}
    except EvidenceError as error:
        return {"proved": False, "steps": steps, "failure": {"code": error.code, "text": FAULTS[error.code]}}


def urls_in(record: Json) -> list[str]:
    """Not verified yet: they are compared with what is verified."""
    urls = []
    for name, claim in (("evidence", "aud"), ("receipt", "iss")):
        try:
            url = read_jws(record.get(name, ""), "malformed")[1].get(claim)
        except EvidenceError:
            continue
        if isinstance(url, str) and url not in urls:
            urls.append(url)
    return urls


def _claims_of(record: Json, message: str, details: str | None, nonce: str | None) -> Json:
    nonce = record.get("nonce") if nonce is None else nonce
    details_hash = None if details is None else _details_hash(details, record.get("detailsHash"))
    claims = question(record["tenantId"], nonce or "", message, details_hash)
    return claims if nonce is not None else {**claims, "challengeId": record.get("challengeId")}


def _details_hash(details: str, kept: Any) -> str:
    """Of the text as it was sent by CIBA, or of the list as JSON.stringify writes it."""
    as_sent = digest(details.strip())
    if as_sent == kept:
        return as_sent
    try:
        value = json.loads(details, parse_int=float)
    except ValueError:
        raise EvidenceError("detailsHash") from None
    return digest(_stringify(value))


def _stringify(value: Any) -> str:
    """What JSON.stringify(JSON.parse(text)) writes (ECMA-262): names that are array indices come first, and numbers are doubles."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: (0, int(name)) if _is_index(name) else (1, 0))
        return "{" + ",".join(f"{_stringify(name)}:{_stringify(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_stringify, value)) + "]"
    return _number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _is_index(name: str) -> bool:
    return re.fullmatch("0|[1-9][0-9]{0,9}", name) is not None and int(name) < 2**32 - 1


def _number(value: float) -> str:
    """As ECMA-262, section 6.1.6.1.20, writes it."""
    if value == 0:
        return "0"
    sign, shortest, power = Decimal(repr(value)).normalize().as_tuple()
    digits = "".join(map(str, shortest))
    point = len(digits) + int(power)
    if len(digits) <= point <= 21:
        text = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        text = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = f"{digits[0]}.{digits[1:]}".rstrip(".") + f"e{point - 1:+d}"
    return "-" * sign + text


def _check_record(record: Json, answer: Json) -> None:
    """What was kept beside the evidence must not contradict it."""
    for name in ("challengeId", "messageHash", "detailsHash", "contextHash"):
        need(name not in record or record[name] == answer.get(name), name)
    if "decidedAt" in record:
        need(abs(seconds_of(record["decidedAt"]) - answer["iat"]) <= CLOCKS, "decidedAt")
    signed = answer.get("reason", "user_declined") if answer["decision"] == "deny" else None
    need(record.get("reason") == signed, "reason")


def _check_events(events: Iterable[Json], record: Json, answer: Json, receipt: Json) -> None:
    """Those of the confirmation and of the enrolment say the same, and the device was not removed before."""
    expected = {
        "deviceId": answer["iss"],
        "userId": answer["sub"],
        **{name: answer.get(name) for name in ("challengeId", "messageHash", "detailsHash")},
        "userVerified": "userVerification" in answer,
        **({"reason": answer.get("reason", "user_declined")} if answer["decision"] == "deny" else {}),
        **{name: record.get(name) for name in ("evidence", "context", "receipt", "deviceKey", "passkeyKey")},
    }
    enrolment = {
        "userId": receipt["sub"],
        "jkt": receipt["jkt"],
        "clientId": receipt.get("client"),
        "receipt": record["receipt"],
    }
    answered_at, removals = None, []
    for event in events:
        metadata, payload = event["metadata"], event.get("payload")
        if not isinstance(payload, dict) or str(metadata.get("tenantId")).lower() != answer["tid"].lower():
            continue
        kind, time = str(metadata.get("type")), seconds_of(metadata.get("occurredTime"))
        if kind.startswith("PushNotification") and payload.get("challengeId") == answer["challengeId"]:
            _agree(payload, expected, "event-differs")
            if FINAL_EVENTS.get(kind) == record["status"]:
                answered_at = time
            else:
                need(kind == "PushNotificationSentEvent", "event-differs")
        if payload.get("deviceId") == answer["iss"]:
            if kind == "UserDeviceRegisteredEvent":
                _agree(payload, enrolment, "enrolment-differs")
            if kind == "UserDeviceDeregisteredEvent":
                removals.append(time)
    if answered_at is None:
        raise EvidenceError("event-missing")
    need(abs(answered_at - answer["iat"]) <= CLOCKS, "event-differs")
    # Both times are the service's. One that is no time counts as before.
    need(all(removed_at > answered_at for removed_at in removals), "removed-before")


def _agree(payload: Json, expected: Json, code: str) -> None:
    """Members that an older version of the payload does not have are not compared."""
    need(all(payload[name] == value for name, value in expected.items() if name in payload), code)


def _statement(answer: Json, receipt: Json, context: Json, message: str, details: str | None) -> Json:
    return {
        "tenantId": answer["tid"],
        "userId": answer["sub"],
        "decision": answer["decision"],
        **({"reason": answer["reason"]} if "reason" in answer else {}),
        "message": message,
        **({} if details is None else {"details": details}),
        "answeredAt": time_of(answer["iat"]),
        "userVerified": "userVerification" in answer,
        "context": context,
        "device": {
            "deviceId": receipt["deviceId"],
            "jkt": receipt["jkt"],
            "platform": receipt.get("platform"),
            "enrolledAt": time_of(receipt["iat"]),
            "enrolledBy": receipt["by"],
            "client": receipt.get("client"),
        },
    }


def time_of(seconds: float) -> str:
    time = datetime.fromtimestamp(seconds, timezone.utc)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# The files.


def events_in(paths: Iterable[str]) -> Iterator[Json]:
    """Lines with {"events":[…]}, as objects of a bucket have them, from files and folders."""
    for path in map(Path, paths):
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        for file in files:
            for line in file.read_bytes().split(b"\n"):
                if line.strip():
                    yield from json.loads(line)["events"]


def text_in(text: str) -> str:
    """The text itself, or @ and the name of its file."""
    return Path(text[1:]).read_bytes().decode() if text.startswith("@") else text


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Proves who confirmed what, when and on which device.")
    for name in ("--confirmation", "--message", "--keys"):
        parser.add_argument(name, required=True)
    for name in ("--details", "--nonce"):
        parser.add_argument(name)
    for name in ("--base-url", "--events"):
        parser.add_argument(name, nargs="+")
    parser.add_argument("--test-users", action="store_true")
    given = parser.parse_args(arguments)
    result = audit(
        json.loads(text_in("@" + given.confirmation)),
        text_in(given.message),
        json.loads(text_in("@" + given.keys)),
        details=None if given.details is None else text_in("@" + given.details),
        nonce=given.nonce,
        base_urls=given.base_url,
        test_users=given.test_users,
        events=None if given.events is None else events_in(given.events),
    )
    print(json.dumps(result, indent=2, ensure_ascii=False))
    return 0 if result["proved"] else 1


def run() -> None:
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
