"""Requests of a website's page, and the answers to them."""

from __future__ import annotations

import json
import re
import urllib.parse
from typing import Any, Mapping, NamedTuple, Protocol

from omi.errors import OmiError
from omi.evidence import Json

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

# What the page can act upon, for its developer: the elements have words of their own for users.
FOR_THE_PAGE = {
    "device-not-found": "The user has no such device, or none at all: offer to add one.",
    "device-choice-required": "Let the user choose a device, and name it as `device`.",
    "confirmation-pending": "A question is open on the device: it must be answered or withdrawn first.",
    "too-many-notifications": "The user was asked too often: wait for `Retry-After` seconds.",
    "user-suspended": "The help desk has suspended the user: do not carry the action out.",
    "already-decided": "The user has already answered: look once more.",
    "confirmation-required": "The user must first confirm this change of devices.",
    "recovery-required": "The user has no device left to confirm with: send the user to the help desk.",
    "confirmation-not-found": "There is no such confirmation, or it ended long ago: ask anew.",
    "enrolment-not-found": "There is no such enrolment: start a new one.",
}

# The first match wins: most browsers also name those that they are compatible with.
BROWSERS = (
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/", "Opera"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"Chrome/|CriOS/", "Chrome"),
    (r"Safari/", "Safari"),
)
SYSTEMS = (
    (r"iPhone", "iPhone"),
    (r"iPad", "iPad"),
    (r"Android", "Android"),
    (r"CrOS", "ChromeOS"),
    (r"Windows", "Windows"),
    (r"Mac OS X|Macintosh", "Mac"),
    (r"Linux", "Linux"),
)


class Session(NamedTuple):
    """Who is signed in. The id changes when somebody signs in, and is not to be guessed."""

    id: str
    user_id: str


class Answer(NamedTuple):
    """A view of Flask may return it as it is; other frameworks take its parts."""

    body: str
    status: int
    headers: dict[str, str]


class Denied(Exception):
    """The website does not carry out the action. `message` raises it for its own reasons, and `consume` does. The user may read its text.

    :param code: `signed-out`, `confirmation-missing`, `confirmation-unknown`, `confirmation-mismatch`, `not-confirmed`,
        `confirmation-too-old`; or your own
    """

    def __init__(self, detail: str, *, code: str = "denied", status: int = 403) -> None:
        super().__init__(detail)
        self.code, self.status = code, status


class Readable(Protocol):
    """Headers or a query, as every framework has them."""

    def get(self, key: str, /) -> Any: ...


def check_page(headers: Readable, origins: list[str]) -> None:
    """Forms and simple requests of other sites cannot send the header `Omi-Page`. For any other request of theirs, the browser
    asks first (CORS), and the routes never agree."""
    if headers.get("Omi-Page") != "1":
        raise cross_site("The header Omi-Page: 1 is missing.")
    site = headers.get("Sec-Fetch-Site")
    if site not in (None, "same-origin"):
        raise cross_site("The request comes from another site.")
    origin = headers.get("Origin")
    if origin is None or (origin == "null" and site == "same-origin"):
        return
    # The scheme that browsers see is not known here; a page of this host without TLS has another Sec-Fetch-Site.
    is_own = origin in origins if origins else origin.partition("://")[2] == headers.get("Host")
    if not is_own:
        raise cross_site("The header Origin names another origin. Behind a proxy, the option `origin` names yours.")


def signed_in(session: Session | None) -> Session:
    if session is None:
        raise Denied("No user is signed in.", code="signed-out", status=401)
    for name, value in zip(("id", "user_id"), session):
        if not isinstance(value, str) or value == "":
            raise TypeError(f"The session's {name} must be a text that is not empty; its type is {type(value).__name__}.")
    return session


def cross_site(detail: str) -> Denied:
    return Denied(detail, code="cross-site-request")


def fields_of(fields: Mapping[str, Any]) -> Json:
    """A field that was sent several times is a list, so that no two readers read another of its values."""
    getlist = getattr(fields, "getlist", None)
    if getlist is None:
        # A JSON body may be a list, or nothing.
        return dict(fields) if isinstance(fields, Mapping) else {}
    return {name: values[0] if len(values) == 1 else values for name, values in ((key, getlist(key)) for key in fields)}


def fields_in(body: bytes, headers: Readable) -> Json:
    content_type = (headers.get("Content-Type") or "").lower()
    if "json" in content_type:
        return json_in(body)
    if "multipart" in content_type:
        # Otherwise the website's message would miss every field.
        raise invalid("The body is a multipart form: send it as URLSearchParams, or as JSON.")
    try:
        pairs = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=1000)
    except ValueError:
        raise invalid("The body is not a form in UTF-8.") from None
    fields: dict[str, list[str]] = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def json_in(body: bytes) -> Json:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise invalid("The body is not a JSON object.")
    return value


def invalid(detail: str) -> Denied:
    return Denied(detail, code="invalid-request", status=400)


def names_in(user_agent: str) -> tuple[str | None, str | None]:
    """Browser and system by names that people know, as far as a `User-Agent` has them."""
    browser, system = (
        next((name for pattern, name in names if re.search(pattern, user_agent)), None) for names in (BROWSERS, SYSTEMS)
    )
    return browser, system


def answer(status: int, body: Json, content_type: str = "application/json") -> Answer:
    return Answer(json.dumps(body), status, {**HEADERS, "Content-Type": content_type})


def no_content() -> Answer:
    return Answer("", 204, dict(HEADERS))


def problem(status: int, code: str, detail: str, retry_after: int | None = None) -> Answer:
    """A problem document (RFC 9457)."""
    said = answer(status, {"status": status, "code": code, "detail": detail}, "application/problem+json")
    if retry_after is not None:
        said.headers["Retry-After"] = str(retry_after)
    return said


def method_not_allowed(methods: list[str]) -> Answer:
    """RFC 9110, section 15.5.6."""
    allow = ", ".join(methods)
    refused = problem(405, "method-not-allowed", f"Use {allow}.")
    refused.headers["Allow"] = allow
    return refused


def refusal(error: OmiError) -> Answer | None:
    """The answer to a page whose call the service refused. None if only the website or its operator can mend it."""
    if error.status is not None and error.code in FOR_THE_PAGE:
        return problem(error.status, error.code, FOR_THE_PAGE[error.code], error.retry_after)
    return problem(503, "temporarily-unavailable", "Try again.", error.retry_after or 2) if error.is_transient else None
