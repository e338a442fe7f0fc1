"""What the elements of a website's page talk to, for every framework: asks the user, and lets an action use the answer once."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
from typing import Any, Callable, Iterable, Mapping, NamedTuple

from omi.client import Omi, new_nonce
from omi.errors import OmiError
from omi.evidence import EvidenceError, Json, seconds_of
from omi.page import (
    Answer,
    Denied,
    Readable,
    Session,
    answer,
    check_page,
    fields_in,
    fields_of,
    json_in,
    method_not_allowed,
    names_in,
    no_content,
    problem,
    refusal,
    signed_in,
)
from omi.store import Store

LARGEST_BODY = 64 * 1024  # bytes
USABLE = 120.0  # seconds after the decision in which it allows the action
LIFETIME = 120  # seconds that the service keeps a question open if the website names no other time
KEPT = 600  # seconds that a confirmation is kept after its end, at least
ENROLMENT_KEPT = 1200  # seconds: codes live 10 minutes
NAMES_KEPT = 3600  # seconds
FIELD = "omi-confirmation"  # of the action's form or JSON body
ID = r"[A-Za-z0-9_-]{22}"
UUID = r"[\dA-Fa-f]{8}(-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}"

log = logging.getLogger("omi")


class Consumed(NamedTuple):
    """What the user confirmed: carry out this. Keep `confirmation["evidence"]` as proof."""

    message: str
    details: list[Json] | None
    confirmation: Json


class _Call(NamedTuple):
    id: str
    headers: Readable
    query: Readable
    body: bytes
    session: Session
    owner: str


class Routes:
    """Call it with a request below `/omi`; it has the same calls and answers as `createRoutes` of `@omi/website`.

    :param message: what the user is asked, from the fields of the action: a text, or a dict of what `Omi.send` takes (`message`,
        `details`, `purpose`, `subject_device_id`, `requested_from`, `return_to`, `expires_in`). It raises Denied if this user may not
        do it. It is called when the page asks, and again by `consume`: the same fields must give the same answer. A field that was
        sent several times is a list
    :param origin: your origin, or several, as browsers see it: needed behind a proxy that changes the host. By default, that of `Host`
    :param account_label: what apps show in place of the user id
    :param may_enrol: raises Denied if this session may not add a device; its second argument says whether the user confirmed that
        just now. Without it the tenant's setting decides alone
    :param app_link: the link of the app, as the operator names it: on a phone, the page then offers to open the app
    :param known_keys: `keyThumbprint`s of a user, if you keep them: other keys are then refused
    :param now: the website's clock, in seconds
    """

    def __init__(
        self,
        omi: Omi,
        message: Callable[[Mapping[str, Any], Session], str | Json],
        *,
        store: Store,
        origin: str | Iterable[str] = (),
        account_label: Callable[[Session], str | None] | None = None,
        may_enrol: Callable[[Session, bool], Any] | None = None,
        app_link: str | None = None,
        known_keys: Callable[[str], Iterable[str] | None] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._omi, self._message, self._store, self._now = omi, message, store, now
        self._origins = [origin] if isinstance(origin, str) else list(origin)
        self._account_label, self._may_enrol = account_label, may_enrol
        self._app_link, self._known_keys = app_link, known_keys
        self._table: dict[str, dict[str, Callable[[_Call], Answer]]] = {
            "devices": {"GET": self._list_devices},
            "confirmations": {"POST": self._ask, "DELETE": self._withdraw_all},
            "confirmations/": {"GET": self._look, "DELETE": self._withdraw},
            "enrolments": {"POST": self._enrol},
            "enrolments/": {"GET": self._look_at_enrolment},
        }

    def __call__(
        self, method: str, path: str, headers: Readable, query: Readable, body: bytes, session: Session | None
    ) -> Answer:
        """Answers a request of the page. `path` is what follows `/omi/`, and `session` None if nobody is signed in.

        Faults of the website itself, such as a store that fails, are raised.
        """
        try:
            name, slash, one = path.strip("/").partition("/")
            handlers = self._table.get(name + slash)
            if handlers is None or (slash and not re.fullmatch(ID, one)):
                raise Denied("This path is unknown.", code="not-found", status=404)
            handler = handlers.get(method)
            if handler is None:
                return method_not_allowed(list(handlers))
            check_page(headers, self._origins)
            session = signed_in(session)
            if len(body) > LARGEST_BODY:
                raise Denied("The body is too large.", code="too-large", status=413)
            return handler(_Call(one, headers, query, body, session, _owner_of(session)))
        except Denied as denied:
            return problem(denied.status, denied.code, str(denied))
        except OmiError as error:
            refused = refusal(error)
            if refused is None:
                raise
            if error.is_transient:
                log.warning("OMI cannot answer now: %s", error.code)
            return refused

    def consume(
        self, fields: Mapping[str, Any], session: Session | None, *, confirmation_id: str | None = None
    ) -> Consumed:
        """Uses the confirmation of an action, before the action is carried out: it works once.

        `fields` are the form or the JSON body of the action, as the framework read it. The id of the confirmation is its field
        `omi-confirmation`, or what the page sent as `confirmation_id`. Raises Denied if this session's user did not confirm this very
        action in the last two minutes.
        """
        session = signed_in(session)
        given = fields_of(fields)
        name = given.pop(FIELD, None) if confirmation_id is None else confirmation_id
        if not isinstance(name, str) or name == "":
            # A browser sent the form by itself.
            raise Denied(
                "The page could not ask your device yet: it was still loading, or scripts are turned off.",
                code="confirmation-missing",
            )
        question = self._question(given, session)
        asked, confirmation = self._usable(name, _owner_of(session), lambda one: _said(one) == _said(question))
        self._use(name)
        return Consumed(question["message"], question.get("details"), confirmation)

    # The page's calls.

    def _list_devices(self, call: _Call) -> Answer:
        return answer(200, {"devices": self._devices(call.session.user_id)})

    def _ask(self, call: _Call) -> Answer:
        device_id = call.query.get("device")
        if device_id is not None and not re.fullmatch(UUID, device_id):
            # Anything else could change the path of the call to the service.
            raise Denied("There is no such device.", code="device-not-found", status=404)
        browser, system = names_in(call.headers.get("User-Agent") or "")
        question = self._question(fields_in(call.body, call.headers), call.session)
        if browser is not None:
            question.setdefault("requested_from", {"browser": f"{browser} on {system}" if system else browser})
        name, user_id = new_nonce(), call.session.user_id
        ttl = (question.get("expires_in") or LIFETIME) + KEPT
        asked = {"owner": call.owner, "user_id": user_id, "device_id": device_id, "question": question, "ttl": ttl}
        asked.update(nonce=new_nonce(), asked_at=self._now())
        # First, so that no question is sent that the website does not know.
        self._put("asked", name, asked, ttl)
        # Before it is sent, so that a store that fails leaves no question open of which the page does not know.
        names = self._device_names(user_id)
        sent = self._omi.send(user_id, nonce=asked["nonce"], device_id=device_id, **question)
        device_name = names.get(sent.get("deviceId", ""))
        shown = ("deviceId", "status", "delivery", "expiresAt", "interval", "matchCode")
        page: Json = {key: sent[key] for key in shown if key in sent}
        page.update(id=name, message=question["message"], expiresInMs=self._left_ms(self._end_of(asked, sent)))
        if device_name is not None:
            page["deviceName"] = device_name
            # As the web app names the page's own browser.
            if device_name == ", ".join(part for part in (system, browser) if part):
                page["perhapsHere"] = True
        # A number to compare must stay in view.
        if self._app_link is not None and "matchCode" not in sent:
            page["appUrl"] = f"{self._app_link.rstrip('/')}/#/challenge/{sent['challengeId']}"
        return answer(201, page)

    def _look(self, call: _Call) -> Answer:
        state = self._state(call.id, self._find(call.id, call.owner))
        page: Json = {key: state[key] for key in ("status", "reason", "code") if state.get(key) is not None}
        page.update(id=call.id, interval=state.get("interval", 1), expiresInMs=self._left_ms(state.get("ends_at", 0)))
        return answer(200, page)

    def _withdraw(self, call: _Call) -> Answer:
        asked = self._find(call.id, call.owner)
        status = (self._get("result", call.id) or {}).get("status", "pending")
        if status not in ("pending", "cancelled"):
            raise Denied("The confirmation has ended.", code="already-decided", status=409)
        if status == "pending":
            self._omi.withdraw(asked["nonce"])
            self._put("result", call.id, {"status": "cancelled", "reason": "withdrawn"}, asked["ttl"])
        return no_content()

    def _withdraw_all(self, call: _Call) -> Answer:
        self._omi.withdraw_all(call.session.user_id)
        return no_content()

    def _enrol(self, call: _Call) -> Answer:
        name = json_in(call.body).get("confirmation") if call.body else None
        nonce = None
        if name is not None:
            nonce = self._allowing_enrolment(str(name), call.owner)["nonce"]
        if self._may_enrol is not None:
            self._may_enrol(call.session, nonce is not None)
        label = self._account_label(call.session) if self._account_label else None
        if name is not None:
            self._use(str(name))
        started = self._omi.enrol(call.session.user_id, account_label=label, confirmation=nonce)
        mine = new_nonce()
        kept = {"owner": call.owner, "enrolment_id": started["enrolmentId"]}
        self._put("enrolment", mine, kept, ENROLMENT_KEPT)
        left = self._left_ms(seconds_of(started["expiresAt"]))
        page = {"id": mine, "link": started["qr"], "expiresAt": started["expiresAt"], "expiresInMs": left}
        return answer(201, page if label is None else {**page, "account": label})

    def _look_at_enrolment(self, call: _Call) -> Answer:
        started = self._get("enrolment", call.id)
        if started is None or started["owner"] != call.owner:
            raise Denied("There is no such enrolment.", code="enrolment-not-found", status=404)
        known = self._get("enrolment-state", call.id)
        if known is None:
            found = self._omi.enrolment(started["enrolment_id"])
            known = {"status": found["status"]}
            if "device" in found:
                known["device"] = _page_device(found["device"])
            # For as long nobody asks the service again.
            self._put("enrolment-state", call.id, known, 1 if known["status"] == "waiting" else ENROLMENT_KEPT)
        return answer(200, known)

    # What was asked, and how it ended.

    def _question(self, fields: Mapping[str, Any], session: Session) -> Json:
        said = self._message(fields, session)
        return {"message": said} if isinstance(said, str) else dict(said)

    def _find(self, name: str, owner: str) -> Json:
        asked = self._get("asked", name)
        if asked is None or asked["owner"] != owner:
            raise Denied("There is no such confirmation.", code="confirmation-not-found", status=404)
        return asked

    def _state(self, name: str, asked: Json) -> Json:
        """How it stands: from the store, or from the service when it is time to ask."""
        known = self._get("result", name) or self._get("polled", name)
        if known is not None:
            return known
        current = self._omi.poll(asked["nonce"], repeat=False)
        if current["status"] == "pending":
            interval = current["interval"]
            pending = {"status": "pending", "interval": interval, "ends_at": self._end_of(asked, current)}
            # For as long nobody asks the service again.
            self._put("polled", name, pending, max(1, int(interval)))
            return pending
        result = self._judge(asked, current)
        self._put("result", name, result, asked["ttl"])
        return result

    def _judge(self, asked: Json, final: Json) -> Json:
        """Only what the device signed makes it `confirmed`."""
        if final["status"] != "confirmed":
            return {"status": final["status"], "reason": final.get("reason")}
        user_id, question = asked["user_id"], asked["question"]
        # What was not asked is compared, too: there must be none.
        compared = {key: question.get(key) for key in ("details", "purpose", "subject_device_id", "requested_from")}
        keys = self._known_keys(user_id) if self._known_keys else None
        try:
            self._omi.verify_evidence(
                final,
                user_id=user_id,
                message=question["message"],
                nonce=asked["nonce"],
                device_id=asked["device_id"],
                known_keys=keys,
                **compared,
            )
        except EvidenceError as error:
            log.error("A confirmation is not proved: %s", error.code)
            return {"status": "failed", "reason": "evidence_invalid", "code": error.code}
        # Times of the service are only compared with each other: its clock may differ.
        decided_at = asked["asked_at"] + seconds_of(final.get("decidedAt")) - seconds_of(final["createdAt"])
        return {"status": "confirmed", "confirmation": final, "decided_at": decided_at}

    def _usable(self, name: str, owner: str, allows: Callable[[Json], bool]) -> tuple[Json, Json]:
        """What was asked, and the confirmation, if this session may use it now: it is not used up yet."""
        asked = self._get("asked", name) if re.fullmatch(ID, name) else None
        if asked is None or asked["owner"] != owner:
            raise _unknown()
        if not allows(asked["question"]):
            raise Denied("The user confirmed something else.", code="confirmation-mismatch")
        state = self._state(name, asked)
        if state["status"] != "confirmed":
            raise Denied("The user has not confirmed this.", code="not-confirmed")
        if not self._now() - state["decided_at"] <= USABLE:  # nor if it is no number
            raise Denied("It was confirmed too long ago.", code="confirmation-too-old")
        return asked, state["confirmation"]

    def _use(self, name: str) -> None:
        if self._store.take(f"omi:asked:{name}") is None:
            raise _unknown()

    def _allowing_enrolment(self, name: str, owner: str) -> Json:
        try:
            return self._usable(name, owner, lambda question: question.get("purpose") == "add-device")[0]
        except Denied as denied:
            raise Denied(str(denied), code="confirmation-required") from None

    def _end_of(self, asked: Json, current: Json) -> float:
        end: float = asked["asked_at"] + seconds_of(current["expiresAt"]) - seconds_of(current["createdAt"])
        return end

    def _left_ms(self, ends_at: float) -> int:
        return max(0, round((ends_at - self._now()) * 1000))

    def _devices(self, user_id: str) -> list[Json]:
        devices = [_page_device(one) for one in self._omi.devices(user_id)]
        self._put("device-names", user_id, {one["deviceId"]: one["name"] for one in devices}, NAMES_KEPT)
        return devices

    def _device_names(self, user_id: str) -> Json:
        """As the page's list of devices had them, so that naming the device of a question seldom needs a call."""
        known = self._get("device-names", user_id)
        if known is not None:
            return known
        try:
            return {one["deviceId"]: one["name"] for one in self._devices(user_id)}
        except OmiError as error:
            # Without a name, the user is asked all the same.
            log.warning("The name of a device cannot be read: %s", error.code)
            return {}

    def _put(self, kind: str, name: str, value: Json, ttl: int) -> None:
        self._store.put(f"omi:{kind}:{name}", json.dumps(value), ttl)

    def _get(self, kind: str, name: str) -> Json | None:
        text = self._store.get(f"omi:{kind}:{name}")
        return None if text is None else json.loads(text)


def _owner_of(session: Session) -> str:
    """Stands for a session and its user in the store, where no session id belongs."""
    return hashlib.sha256(json.dumps([session.id, session.user_id]).encode()).hexdigest()


def _said(question: Json) -> str:
    """What must be the same. The time to answer and the origin of the request do not count."""
    return json.dumps([question.get(key) for key in ("message", "details", "purpose", "subject_device_id")])


def _unknown() -> Denied:
    return Denied("There is no such confirmation, or it was used.", code="confirmation-unknown")


def _page_device(device: Json) -> Json:
    """What the page may know of a device: enough to choose one."""
    return {key: device[key] for key in ("deviceId", "name", "platform", "status")}


