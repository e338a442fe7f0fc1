"""Calls of the API with an access token."""

from __future__ import annotations

import random
import threading
import time
import urllib.parse
from typing import Any, Callable, Iterable

import requests

from omi.errors import OmiError

PATIENCE = 10  # seconds; a repetition brings the answer sooner than more patience
PAUSES = (0.3, 1.0, 2.5)  # seconds before each repetition
LONGEST_PAUSE = 10  # seconds: the caller decides about a longer one
COGNITO_PREFIX = "omi/"  # the identifier of the resource server, which Amazon Cognito puts before each scope

Send = Callable[..., requests.Response]


def exchange(send: Send, method: str, url: str, **options: Any) -> requests.Response:
    """One request. It follows no redirect, so that a token goes nowhere else."""
    try:
        return send(method, url, timeout=PATIENCE, allow_redirects=False, **options)
    except requests.Timeout:
        raise OmiError("timeout", "The service did not answer in time.") from None
    except requests.RequestException:
        # Its text may have the URL, and that the nonce.
        raise OmiError("network", "The service cannot be reached.") from None


def body_of(answer: requests.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def seconds_in(header: str | None) -> int | None:
    return int(header) if header is not None and header.isdigit() else None


def with_retries(call: Callable[[], Any], done: str | None = None) -> Any:
    """Repeats what may be repeated while its answers are lost. `done`: what a repetition gets if the call before it did arrive."""
    for attempt, pause in enumerate((*PAUSES, None)):
        try:
            return call()
        except OmiError as error:
            if attempt > 0 and error.code == done:
                return None
            if pause is None or not error.is_transient or (error.retry_after or 0) > LONGEST_PAUSE:
                raise
            time.sleep(max(error.retry_after or 0, pause) * (1 + random.random() / 4))
    raise AssertionError("unreachable")


class Tokens:
    """The access token of an OAuth 2 client (RFC 6749, 4.4), with the scopes that were used so far."""

    def __init__(self, send: Send, token_url: str, client_id: str, client_secret: str) -> None:
        self._send, self._url = send, token_url
        # RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
        self._auth = tuple(urllib.parse.quote(part, safe="") for part in (client_id, client_secret))
        self._scopes: frozenset[str] = frozenset()
        self._token, self._renew_at, self._prefix = "", 0.0, ""
        self._lock = threading.Lock()

    def token(self, scopes: Iterable[str]) -> str:
        with self._lock:
            needed = frozenset(scopes)
            if not needed <= self._scopes or time.monotonic() >= self._renew_at:
                self._obtain(needed | self._scopes, needed)
            return self._token

    def discard(self, token: str) -> None:
        with self._lock:
            if token == self._token:
                self._renew_at = 0.0

    def _obtain(self, scopes: frozenset[str], needed: frozenset[str]) -> None:
        answer = self._post(scopes, self._prefix)
        if _error_of(answer) == "invalid_scope" and not self._prefix:
            prefixed = self._post(scopes, COGNITO_PREFIX)
            if prefixed.ok:
                answer, self._prefix = prefixed, COGNITO_PREFIX
        if _error_of(answer) == "invalid_scope" and scopes != needed:
            # Others may have been taken from the client.
            return self._obtain(needed, needed)
        body = body_of(answer)
        token = body.get("access_token") if answer.ok and isinstance(body, dict) else None
        if not isinstance(token, str):
            raise OmiError(
                "token-refused",
                f"The token URL answered {answer.status_code} ({_error_of(answer) or 'no access token'}).",
                status=answer.status_code,
                retry_after=seconds_in(answer.headers.get("Retry-After")),
            )
        lifetime = body.get("expires_in")
        lifetime = lifetime if isinstance(lifetime, (int, float)) and lifetime > 0 else 300
        self._token, self._scopes = token, scopes
        self._renew_at = time.monotonic() + max(lifetime - 60, lifetime / 2)

    def _post(self, scopes: frozenset[str], prefix: str) -> requests.Response:
        form = {"grant_type": "client_credentials", "scope": " ".join(prefix + one for one in sorted(scopes))}
        return exchange(self._send, "POST", self._url, data=form, auth=self._auth)


def _error_of(answer: requests.Response) -> str | None:
    """Only the code: a hostile answer could return the secret."""
    body = body_of(answer)
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, str) and error.replace("_", "").isalpha() and len(error) < 41 else None


class Caller:
    """Calls the API. Lost answers are asked for again."""

    def __init__(self, send: Send, base_url: str, tokens: Tokens) -> None:
        self._send, self._base_url, self._tokens = send, base_url, tokens

    def call(
        self,
        method: str,
        path: str,
        scopes: Iterable[str],
        body: dict[str, Any] | None = None,
        *,
        repeat: bool = True,
        done: str | None = None,
    ) -> Any:
        """The body of a success, or None if it has none. Raises OmiError."""
        asked = list(scopes)

        def attempt() -> Any:
            return self._attempt(method, path, asked, body)

        return with_retries(attempt, done) if repeat else attempt()

    def _attempt(self, method: str, path: str, scopes: list[str], body: dict[str, Any] | None) -> Any:
        token = self._tokens.token(scopes)
        answer = self._request(method, path, body, token)
        if answer.status_code == 401:
            self._tokens.discard(token)
            answer = self._request(method, path, body, self._tokens.token(scopes))
        if not answer.ok:
            raise _failure_of(answer)
        if answer.status_code == 204:
            return None
        content = body_of(answer)
        if not isinstance(content, dict):
            raise OmiError("unexpected-answer", "The answer is not JSON.", status=answer.status_code)
        return content

    def _request(self, method: str, path: str, body: dict[str, Any] | None, token: str) -> requests.Response:
        given = body and {name: value for name, value in body.items() if value is not None}
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        return exchange(self._send, method, self._base_url + path, json=given, headers=headers)


def _failure_of(answer: requests.Response) -> OmiError:
    body = body_of(answer)
    problem = body if isinstance(body, dict) else {}
    usual = {401: "unauthorized", 403: "forbidden", 404: "not-found", 429: "too-many-requests"}
    code = problem.get("code") or usual.get(answer.status_code)
    return OmiError(
        code if isinstance(code, str) else "unexpected-answer",
        str(problem.get("detail") or problem.get("message") or "")[:500],
        status=answer.status_code,
        retry_after=seconds_in(answer.headers.get("Retry-After")),
        errors=problem.get("errors"),
        trace_id=problem.get("traceId"),
    )
