"""Callbacks of the service, as Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Iterable, Mapping

from omi.errors import OmiError

TOLERANCE = 5 * 60  # seconds that a callback may be old, or its sender's clock ahead
LARGEST = 256 * 1024  # bytes: a group has up to 20 votes with their evidence


def verify_callback(
    headers: Mapping[str, str],
    body: bytes,
    secrets: Iterable[str],
    *,
    tenant_id: str | None = None,
    now: float | None = None,
) -> dict[str, Any]:
    """Verifies a callback, and returns `{"type", "timestamp", "data"}`: `data` is the confirmation, or the group, without its nonce.

    :param headers: of the request; any letter case
    :param body: the bytes as they came: another form of the same JSON has another signature
    :param secrets: `whsec_…`; two while the secret is rotated
    :raises OmiError: `invalid-callback`; `invalid-options` without a usable secret
    """
    keys = [_key_of(secret) for secret in secrets]
    if not keys:
        raise OmiError("invalid-options", "There is no secret for callbacks.")
    if len(body) > LARGEST:
        raise _invalid("The body is too large.")
    given = {name.lower(): value for name, value in headers.items()}
    stamp = given.get("webhook-timestamp", "")
    signed = b".".join((given.get("webhook-id", "").encode(), stamp.encode(), body))
    if not any(_is_signed(part, signed, keys) for part in given.get("webhook-signature", "").split(" ")):
        raise _invalid("The signature is not valid.")
    if not stamp.isdecimal() or abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE:
        raise _invalid("The callback is too old, or a clock is wrong.")
    return _read(body, tenant_id)


def _invalid(detail: str) -> OmiError:
    return OmiError("invalid-callback", detail)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise OmiError("invalid-options", "The secret is not whsec_ with base64.")
    return key


def _is_signed(part: str, signed: bytes, keys: Iterable[bytes]) -> bool:
    version, _, text = part.partition(",")
    try:
        signature = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    # Every key is tried, in constant time.
    return version == "v1" and any([hmac.compare_digest(signature, one) for one in expected])


def _read(body: bytes, tenant_id: str | None) -> dict[str, Any]:
    try:
        callback = json.loads(body)
        kind, data = callback["type"], callback["data"]
        subject, _, status = kind.partition(".")
        votes = data["votes"] if subject == "group" else [data]
        tenants = {vote["tenantId"] for vote in votes}
        is_call = subject in ("confirmation", "group") and status == data["status"] != "pending"
    except (ValueError, KeyError, TypeError, AttributeError):
        is_call, tenants = False, set()
    if not is_call:
        raise _invalid("The body is not a callback of the service.")
    if tenant_id is not None and tenants != {tenant_id}:
        raise _invalid("The callback is of another tenant.")
    return callback
