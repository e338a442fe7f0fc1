"""ID tokens of the service, as OpenID Connect clients get them by CIBA."""

from __future__ import annotations

import time
from typing import Any, Iterable

from omi.errors import OmiError
from omi.evidence import EvidenceError, Json, digest, is_signed, need, prove, read_jws, seconds_of

CLOCKS = 60  # seconds by which clocks may differ
AUTH_REQ_ID = "urn:openid:params:jwt:claim:auth_req_id"


def verify_id_token(
    id_token: str,
    *,
    keys: Json,
    base_url: str,
    client_id: str,
    auth_req_id: str,
    message: str,
    details: str | None = None,
    former_base_urls: Iterable[str] = (),
    test_users: bool = False,
    known_keys: Iterable[str] | None = None,
    now: float | None = None,
) -> Json:
    """Verifies an ID token and the evidence in it: who confirmed what, for this request of this client.

    :param keys: the answer of `GET /.well-known/omi-keys`
    :param message: the `binding_message` of the request
    :param details: the text of `authorization_details` exactly as it was sent: its hash is over this text
    :returns: the claims
    :raises OmiError: `invalid-id-token`, with the claim
    :raises EvidenceError: if the evidence does not prove it. Its nonce is the `auth_req_id`
    """
    urls = [base_url, *former_base_urls]
    try:
        header, claims, signed, signature = read_jws(id_token, "malformed", largest=32 * 1024)
        is_jwt = header.get("alg") == "ES256" and header.get("typ", "JWT") == "JWT"
        known = (one for one in keys["keys"] if one["kid"] == header.get("kid") and one["for"] == "token")
        key: Any = next(known, None)
        need(is_jwt and key is not None and is_signed(key, signature, signed, "malformed"), "signature")
    except EvidenceError:
        raise _invalid("its signature") from None
    moment = time.time() if now is None else now
    expected = {"iss": claims.get("iss") in urls, "aud": claims.get("aud") == client_id}
    expected[AUTH_REQ_ID] = claims.get(AUTH_REQ_ID) == auth_req_id
    expected["exp"] = _number(claims.get("exp")) > moment - CLOCKS
    expected["iat"] = seconds_of(key["from"]) - CLOCKS <= _number(claims.get("iat")) <= moment + CLOCKS
    for name, is_right in expected.items():
        if not is_right:
            raise _invalid(f"the claim {name}")
    _prove(claims, keys, base_url, urls[1:], test_users, known_keys, auth_req_id, message, details)
    return claims


def _invalid(what: str) -> OmiError:
    return OmiError("invalid-id-token", f"The ID token is refused because of {what}.")


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else float("nan")


def _prove(
    claims: Json,
    keys: Json,
    base_url: str,
    former: list[str],
    test_users: bool,
    known_keys: Iterable[str] | None,
    auth_req_id: str,
    message: str,
    details: str | None,
) -> None:
    evidence: Any = claims.get("omi_evidence")
    need(isinstance(evidence, str), "missing")
    confirmation = {
        "status": "confirmed",
        "tenantId": claims.get("tid"),
        "userId": claims.get("sub"),
        "deviceId": read_jws(evidence, "malformed")[0].get("kid"),
        "evidence": evidence,
        "context": claims.get("omi_context"),
        "receipt": claims.get("omi_receipt"),
        "deviceKey": claims.get("omi_device_key"),
        "passkeyKey": claims.get("omi_passkey_key"),
        "userVerified": "user" in claims.get("amr", []),
    }
    prove(
        confirmation,
        keys=keys,
        base_url=base_url,
        former_base_urls=former,
        test_users=test_users,
        known_keys=known_keys,
        claims={
            "challengeId": digest(f"{claims.get('tid')}\n{auth_req_id}"),
            "messageHash": digest(message),
            "detailsHash": None if details is None else digest(details),
        },
    )
