"""A website in a process of its own: each line of standard input is what to do, and each line of standard output what came of it."""

import json
import sys

from omi import Denied, MemoryStore, Omi, Routes, Session

ahead = 0.0


def now():
    return 1_000_000.0 + ahead


def message(fields, session):
    amount = fields.get("amount", "")
    if amount == "too much":
        raise Denied("You have not so much money.")
    asked = {"message": f"Pay {amount} € to Café Zoë?", **fields.get("asked", {})}
    return asked if len(asked) > 1 else asked["message"]


def may_enrol(session, confirmed):
    if session.user_id.startswith("blocked"):
        raise Denied("Visit a branch.", code="branch")


class Form(dict):
    """A form as frameworks have it: `get` has the last value of a field, `getlist` all."""

    def getlist(self, name):
        return self[name]


class FailingStore(MemoryStore):
    """Refuses one kind of values."""

    kind = "none"

    def put(self, key, value, ttl_seconds):
        if key.startswith(f"omi:{self.kind}:"):
            raise OSError("The store is full.")
        super().put(key, value, ttl_seconds)


class UndatedOmi(Omi):
    """Of a service that does not say when its users decided."""

    def poll(self, nonce, *, repeat=True):
        answer = super().poll(nonce, repeat=repeat)
        answer.pop("decidedAt", None)
        return answer


def routes_of(service, failing="none", undated=False, **options):
    parts = [service[name] for name in ("baseUrl", "tokenUrl", "clientId", "clientSecret")]
    omi = (UndatedOmi if undated else Omi)(*parts, tenant_id=service["tenantId"])
    store = FailingStore(now=now)
    store.kind = failing
    return Routes(omi, message, store=store, now=now, **options)


def session_of(one):
    return None if one is None else Session(*one)


def call(routes, given):
    body = given.get("body", "").encode("latin-1" if given.get("latin") else "utf-8")
    session = session_of(given["session"])
    answer = routes(given["method"], given["path"], given["headers"], given.get("query", {}), body, session)
    return {"status": answer.status, "headers": answer.headers, "text": answer.body}


def consume(routes, given):
    fields = Form(given["form"]) if "form" in given else given["fields"]
    try:
        confirmed = routes.consume(fields, session_of(given["session"]), confirmation_id=given.get("id"))
        return {"message": confirmed.message, "details": confirmed.details, "evidence": confirmed.confirmation["evidence"]}
    except Denied as denied:
        return {"code": denied.code, "status": denied.status}


routes = None
for line in sys.stdin:
    given = json.loads(line)
    try:
        if "service" in given:
            known = given.get("options", {}).pop("known_keys", None)
            options = {**given.get("options", {}), **({} if known is None else {"known_keys": lambda user_id: known})}
            labels = {"account_label": lambda session: f"Account of {session.id}"}
            routes, outcome = routes_of(given["service"], may_enrol=may_enrol, **labels, **options), {}
        elif "ahead" in given:
            ahead, outcome = given["ahead"], {}
        else:
            outcome = (call if "method" in given else consume)(routes, given)
    except Exception as error:  # a fault of the website, which its framework would answer
        outcome = {"fault": type(error).__name__}
    print(json.dumps(outcome), flush=True)
