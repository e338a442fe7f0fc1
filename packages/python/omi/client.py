from __future__ import annotations

import os
import random
import re
import secrets
import time
import urllib.parse
from typing import Any, Callable, Iterable, Mapping

import requests

from omi.callbacks import verify_callback
from omi.calls import Caller, Tokens, body_of, exchange
from omi.errors import OmiError
from omi.evidence import Json, seconds_of, verify_evidence
from omi.groups import verify_group
from omi.ledger import Exports

GRACE = 60.0  # seconds that a poll may come after the expiry: the service was not reachable
KEYS_KEPT = 300.0  # seconds, as long as the service lets others keep them
KEYS_USABLE = 86_400.0  # seconds, as long as they count while newer ones cannot be had
KEYS_PAUSE = 30.0  # seconds after a load that failed
LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)(:\d+)?")


def new_nonce() -> str:
    """A nonce of 128 random bits: one for each question."""
    return secrets.token_urlsafe(16)


class Omi:
    """A website's side of OMI. Keep one for the whole server: it holds the access token. Threads may share it.

    :param base_url: as the operator names it
    :param tenant_id: the tenant that evidence and callbacks must be of
    :param callback_secret: `whsec_…`, or both while the secret is rotated
    :param former_base_urls: base URLs that the service had before: evidence of that time names them
    :param test_users: whether users that exist for tests alone may confirm
    """

    def __init__(
        self,
        base_url: str,
        token_url: str,
        client_id: str,
        client_secret: str,
        *,
        tenant_id: str | None = None,
        callback_secret: str | Iterable[str] = (),
        former_base_urls: Iterable[str] = (),
        test_users: bool = False,
    ) -> None:
        self.base_url = _safe_url("base_url", base_url)
        for name, value in (("client_id", client_id), ("client_secret", client_secret)):
            if not isinstance(value, str) or not value:
                raise OmiError("invalid-options", f"{name} is not set.")
        self._send = requests.Session().request
        tokens = Tokens(self._send, _safe_url("token_url", token_url), client_id, client_secret)
        self._caller = Caller(self._send, self.base_url, tokens)
        self._tenant_id, self._former, self._test_users = tenant_id, list(former_base_urls), test_users
        self._secrets = [callback_secret] if isinstance(callback_secret, str) else list(callback_secret)
        self._keys: Json | None = None
        self._keys_until = self._keys_usable_until = 0.0
        self.exports = Exports(self._caller)

    @classmethod
    def from_environment(cls, *, former_base_urls: Iterable[str] = (), test_users: bool = False) -> Omi:
        """By the variables of `.local/website.env`: OMI_BASE_URL, OMI_TOKEN_URL, OMI_CLIENT_ID, OMI_CLIENT_SECRET, OMI_TENANT_ID.

        And OMI_CALLBACK_SECRET, if it is set. Raises OmiError `invalid-options`.
        """
        return cls(
            *(_variable(name) for name in ("OMI_BASE_URL", "OMI_TOKEN_URL", "OMI_CLIENT_ID", "OMI_CLIENT_SECRET")),
            tenant_id=_variable("OMI_TENANT_ID"),
            callback_secret=os.environ.get("OMI_CALLBACK_SECRET") or (),
            former_base_urls=former_base_urls,
            test_users=test_users,
        )

    # Ask one user.

    def confirm(
        self,
        user_id: str,
        message: str,
        *,
        nonce: str | None = None,
        on_pending: Callable[[Json], Any] | None = None,
        known_keys: Iterable[str] | None = None,
        **asked: Any,
    ) -> Json:
        """Asks the user, waits for the answer, and verifies it. Only the status `confirmed` is a yes: the others are results.

        Takes what `send` takes. `on_pending` gets the confirmation while it waits, with `matchCode` if number matching is on.
        Raises OmiError, or EvidenceError if the answer does not prove what was asked.
        """
        nonce = nonce or new_nonce()
        first = self.send(user_id, message, nonce=nonce, **asked)
        known = {name: asked.get(name) for name in ("purpose", "requested_from", "details")}
        known.update(subject_device_id=asked.get("subject_device_id"), device_id=asked.get("device_id"))
        return self.wait(
            user_id, message, nonce=nonce, first=first, on_pending=on_pending, known_keys=known_keys, **known
        )

    def send(
        self,
        user_id: str,
        message: str,
        *,
        nonce: str,
        device_id: str | None = None,
        devices: str | None = None,
        details: list[Json] | None = None,
        purpose: str | None = None,
        subject_device_id: str | None = None,
        requested_from: Json | None = None,
        return_to: str | None = None,
        expires_in: int | None = None,
    ) -> Json:
        """Asks the user. The same request with the same nonce is the same question."""
        path = f"/omi/push/user/{_segment(user_id)}"
        scope = "credential:omi:push-notification:post"
        if device_id is not None:
            path, scope = f"{path}/device/{_segment(device_id)}", "credential:omi:push-notification:device:post"
        body = {
            **_question(message, nonce, details, requested_from, expires_in),
            "devices": devices,
            "purpose": purpose,
            "subjectDeviceId": subject_device_id,
            "returnTo": return_to,
        }
        return self._caller.call("POST", path, [scope], body)

    def poll(self, nonce: str, *, repeat: bool = True) -> Json:
        """Looks once at a confirmation. Its evidence is not verified."""
        path, scope = f"/omi/push/confirmation?nonce={_quoted(nonce)}", "credential:omi:push-notification:status:get"
        return self._caller.call("GET", path, [scope], repeat=repeat)

    def wait(
        self,
        user_id: str,
        message: str,
        *,
        nonce: str,
        first: Json | None = None,
        on_pending: Callable[[Json], Any] | None = None,
        **known: Any,
    ) -> Json:
        """Waits for the answer to a question that was sent, and verifies it. Raises as `confirm`."""
        answer = _until_final(lambda: self.poll(nonce, repeat=False), first, on_pending)
        is_answer = answer["status"] == "confirmed" or (answer["status"] == "denied" and "evidence" in answer)
        if is_answer:
            self.verify_evidence(answer, user_id=user_id, message=message, nonce=nonce, **known)
        return answer

    def withdraw(self, nonce: str) -> None:
        """Withdraws a question. Safe to repeat. Raises OmiError, for example `already-decided`."""
        path = f"/omi/push/confirmation?nonce={_quoted(nonce)}"
        self._caller.call("DELETE", path, ["credential:omi:push-notification:delete"])

    def withdraw_all(self, user_id: str) -> None:
        """Withdraws what this client has open for a user, for example at the logout."""
        path = f"/omi/push/confirmation?userId={_quoted(user_id)}"
        self._caller.call("DELETE", path, ["credential:omi:push-notification:delete"])

    # Ask several.

    def confirm_group(
        self,
        members: list[str],
        required: int,
        message: str,
        *,
        nonce: str | None = None,
        details: list[Json] | None = None,
        requested_from: Json | None = None,
        expires_in: int | None = None,
        on_pending: Callable[[Json], Any] | None = None,
        known_keys: Iterable[str] | None = None,
    ) -> Json:
        """Asks several users, waits until enough have answered, and verifies their votes. Only `approved` is a yes."""
        name = nonce or new_nonce()
        body = {**_question(message, name, details, requested_from, expires_in), "members": members, "required": required}
        first = self._caller.call("POST", "/omi/groups", ["credential:omi:groups"], body)
        group = _until_final(lambda: self.group(name, repeat=False), first, on_pending)
        if group["status"] == "approved":
            verify_group(
                group,
                members=members,
                required=required,
                message=message,
                nonce=name,
                details=details,
                requested_from=requested_from,
                known_keys=known_keys,
                **self._trust(),
            )
        return group

    def group(self, nonce: str, *, repeat: bool = True) -> Json:
        """Looks once at a group. The evidence of its votes is not verified."""
        path = f"/omi/groups?nonce={_quoted(nonce)}"
        return self._caller.call("GET", path, ["credential:omi:groups"], repeat=repeat)

    def withdraw_group(self, nonce: str) -> None:
        self._caller.call("DELETE", f"/omi/groups?nonce={_quoted(nonce)}", ["credential:omi:groups"])

    # Devices.

    def devices(self, user_id: str) -> list[Json]:
        path = f"/omi/users/{_segment(user_id)}/devices"
        return self._caller.call("GET", path, ["credential:omi:devices:get"])["devices"]

    def remove_device(self, user_id: str, device_id: str, *, confirmation: str | None = None) -> None:
        """`confirmation`: the nonce of one with the purpose `remove-device`, where the tenant wants one."""
        path = f"/omi/users/{_segment(user_id)}/devices/{_segment(device_id)}"
        query = "" if confirmation is None else f"?confirmation={_quoted(confirmation)}"
        self._caller.call("DELETE", path + query, ["credential:omi:devices:delete"], done="device-not-found")

    def enrol(self, user_id: str, *, account_label: str | None = None, confirmation: str | None = None) -> Json:
        """Starts an enrolment: show `qr` as a QR code to this user alone."""
        body = {"userId": user_id, "accountLabel": account_label, "confirmation": confirmation}
        # A confirmation is used up by the call, so a repetition would be refused.
        is_repeatable = confirmation is None
        return self._caller.call(
            "POST", "/omi/enrol/qr", ["credential:omi:enrol:qr:post"], body, repeat=is_repeatable
        )

    def enrolment(self, enrolment_id: str) -> Json:
        path = f"/omi/enrol/status?enrolmentId={_quoted(enrolment_id)}"
        return self._caller.call("GET", path, ["credential:omi:enrol:status:get"])

    # Check.

    def verify_evidence(self, confirmation: Json, **asked: Any) -> Json:
        """As the function of the same name, with base URL, tenant and keys of this service."""
        return verify_evidence(confirmation, **{**self._trust(), **asked})

    def verify_callback(self, headers: Mapping[str, str], body: bytes) -> Json:
        """Verifies a callback, and reads it. Use its evidence with `verify_evidence`."""
        return verify_callback(headers, body, self._secrets, tenant_id=self._tenant_id)

    def keys(self) -> Json:
        """`GET /.well-known/omi-keys`, kept for 5 minutes, and for a day while it cannot be loaded."""
        now = time.monotonic()
        if self._keys is None or now > self._keys_until:
            try:
                self._keys = self._load_keys()
                self._keys_until, self._keys_usable_until = now + KEYS_KEPT, now + KEYS_USABLE
            except OmiError:
                if self._keys is None or now > self._keys_usable_until:
                    raise
                self._keys_until = now + KEYS_PAUSE
        return self._keys

    def _load_keys(self) -> Json:
        answer = exchange(self._send, "GET", f"{self.base_url}/.well-known/omi-keys")
        keys = body_of(answer)
        if not answer.ok or not isinstance(keys, dict) or not isinstance(keys.get("keys"), list):
            raise OmiError("unexpected-answer", "The keys cannot be loaded.", status=answer.status_code)
        return keys

    def _trust(self) -> Json:
        return {
            "keys": self.keys(),
            "base_url": self.base_url,
            "former_base_urls": self._former,
            "test_users": self._test_users,
            "tenant_id": self._tenant_id,
        }


def _question(
    message: str, nonce: str, details: list[Json] | None, requested_from: Json | None, expires_in: int | None
) -> Json:
    return {
        "message": message,
        "nonce": nonce,
        "authorizationDetails": details,
        "requestedFrom": requested_from,
        "expiresIn": expires_in,
    }


def _until_final(look: Callable[[], Json], first: Json | None, on_pending: Callable[[Json], Any] | None) -> Json:
    """Polls until it has ended. Bridges faults of the service until shortly after the expiry."""
    current = first if first is not None else look()
    if current["status"] == "pending" and on_pending is not None:
        on_pending(current)
    end = time.monotonic() + _lifetime_of(current) + GRACE
    failures = 0
    while current["status"] == "pending":
        if time.monotonic() > end:
            raise OmiError("timeout", "The question is still pending after its expiry.")
        pause = max(float(current.get("interval", 1)), 0.5) if failures == 0 else min(0.5 * 2**failures, 8.0)
        time.sleep(pause * (1 + random.random() / 10))
        try:
            current, failures = look(), 0
        except OmiError as error:
            failures += 1
            if not error.is_transient or time.monotonic() > end:
                raise
            time.sleep(min(error.retry_after or 0, 30))
    return current


def _lifetime_of(question: Json) -> float:
    """By the service's clock alone."""
    lifetime = seconds_of(question.get("expiresAt")) - seconds_of(question.get("createdAt"))
    return min(lifetime, 86_400.0) if lifetime >= 0 else 0.0


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _segment(identifier: str) -> str:
    """An id as one segment of a path: a strange one could name another endpoint."""
    if not re.fullmatch(r"(?!\.{1,2}$)[A-Za-z0-9._~@:+-]{1,128}", identifier):
        raise OmiError("invalid-request", "Expected ids of 1 to 128 of A-Z a-z 0-9 . _ ~ @ : + -")
    return _quoted(identifier)


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise OmiError("invalid-options", f"{name} is not set.")
    return value


def _safe_url(name: str, text: str) -> str:
    """A URL that secrets may be sent to: without TLS only on the own machine."""
    url = urllib.parse.urlsplit(text or "")
    is_local = url.scheme == "http" and LOOPBACK.fullmatch(url.netloc) is not None
    if (url.scheme != "https" and not is_local) or not url.netloc or "@" in url.netloc:
        raise OmiError("invalid-options", f"{name} is not a URL with https.")
    return text.rstrip("/")
