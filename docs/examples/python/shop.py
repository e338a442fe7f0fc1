"""A shop in Flask: a payment happens once its user has confirmed it on a device. `flask --app shop run`"""

import os
import secrets
import threading
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any, Dict

from flask import Flask, abort, redirect, request, session
from markupsafe import escape
from omi import Omi, OmiError, new_nonce

WORDS = {
    "not_me": "You told us that this was not you. We blocked the payment.",
    "denied": "You denied it.",
    "expired": "You did not answer in time. Shall we ask again?",
    "cancelled": "The request was withdrawn.",
    "failed": "The answer did not match. Please try again.",
    "confirmation-pending": "Please answer the request that is open on your device first.",
    "too-many-notifications": "We asked too often. Please wait a while.",
    "user-suspended": "Our help desk has suspended your account.",
    "device-not-found": "Please add a device first.",
    "device-choice-required": "Please choose one of your devices.",
}

START = """<!doctype html><title>Example Shop</title>
<form action="/sign-in" method="post"><input name="user_id" value="anna" /><button>Sign in</button></form>
<form action="/device" method="post"><button>Add a device</button></form>
<p>Signed in: {user_id}</p><a href="/shop.html">Pay</a>"""

app = Flask(__name__, static_folder="public", static_url_path="")
app.secret_key = os.environ.get("SHOP_SECRET") or secrets.token_bytes(32)
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"  # no form of another site asks the user
omi = Omi.from_environment()
payments: Dict[str, Dict[str, Any]] = {}  # a table of your database
paying = threading.Lock()


@app.get("/")
def start():
    return START.format(user_id=escape(session.get("user_id", "nobody yet")))


@app.post("/sign-in")
def sign_in():
    session["user_id"] = request.form["user_id"]  # after you have checked the password
    return redirect("/")


@app.post("/device")
def add_device():
    # This browser becomes the device. A phone scans the same text as a QR code. Ask for the password again first.
    return redirect(omi.enrol(user_id())["qr"])


@app.post("/payments")
def begin():
    cents = request.args.get("cents", type=int) or abort(400)
    message = f"Pay {cents / 100:.2f} € to Example Shop?"
    payment = {"user_id": user_id(), "message": message, "nonce": new_nonce(), "cents": cents, "paid": False}
    name = str(uuid.uuid4())
    payments[name] = payment  # before it is sent: an answer that is lost must not lose the question
    asked = omi.send(payment["user_id"], message, nonce=payment["nonce"])
    return {"id": name, "matchCode": asked.get("matchCode"), "interval": asked["interval"]}, 202


@app.get("/payments/<name>")
def look(name: str):
    payment = own(name)
    answer = omi.poll(payment["nonce"])
    if answer["status"] != "confirmed":
        words = WORDS.get(answer.get("reason", "")) or WORDS.get(answer["status"])
        return {"status": answer["status"], "interval": answer["interval"], "message": words}
    asked = {key: payment[key] for key in ("user_id", "message", "nonce")}
    omi.verify_evidence(answer, **asked)
    decided = datetime.strptime(answer["decidedAt"], "%Y-%m-%dT%H:%M:%S.%f%z")
    if not payment["paid"] and datetime.now(timezone.utc) - decided > timedelta(minutes=2):
        return {"status": "expired", "message": WORDS["expired"]}
    with paying:  # two polls may come here at once: with a database, this is one conditional update
        if not payment["paid"]:
            payment["paid"] = True
            pay(payment)
    return {"status": "paid"}


@app.delete("/payments/<name>")
def give_up(name: str):
    omi.withdraw(own(name)["nonce"])
    return "", 204


@app.errorhandler(OmiError)
def refused(error: OmiError):
    return {"message": WORDS.get(error.code), "retryAfter": error.retry_after}, 409 if error.code in WORDS else 503


def user_id() -> str:
    return session.get("user_id") or abort(401)


def own(name: str) -> Dict[str, Any]:
    """Only who asked may look: the nonce ties the confirmation to the session."""
    payment = payments.get(name)
    if payment is None or payment["user_id"] != user_id():
        abort(404)
    return payment


def pay(payment: Dict[str, Any]) -> None:
    print(f"paid {payment['cents']} cents for {payment['user_id']}", flush=True)
