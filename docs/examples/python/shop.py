"""A shop in Flask: a payment happens once its user has confirmed it on a device. `flask --app shop run`"""

import os
import re
import secrets

from flask import Flask, redirect, request, session
from markupsafe import escape
from omi import Denied, MemoryStore, Omi, Routes, Session

PAGE = """<!doctype html>
<html lang="en">
  <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" /><title>Example Shop</title>
  <style>body {{ max-width: 36rem; margin: 2rem auto; padding: 0 1rem; font-family: sans-serif }} omi-confirmation {{ margin: 1rem 0 }}</style>
  <script type="module" src="/static/omi-elements.js"></script>
  <h1>Example Shop</h1>
  {content}
</html>"""
SIGN_IN = """<form action="/sign-in" method="post">
    <label>User <input name="user_id" value="anna" required /></label>
    <button>Sign in</button>
  </form>"""
PAY = """<p role="status">Signed in as {user_id}. {done}</p>
  <form action="/pay" method="post">
    <label>Amount in € <input name="amount" value="12" required /></label>
    <omi-confirmation required><omi-enrolment slot="no-device"></omi-enrolment></omi-confirmation>
    <button>Pay</button>
  </form>"""

app = Flask(__name__)
app.secret_key = os.environ.get("SHOP_SECRET") or secrets.token_bytes(32)
app.config["SESSION_COOKIE_SAMESITE"] = "Lax"


@app.get("/")
def start():
    if "user_id" not in session:
        return PAGE.format(content=SIGN_IN)
    pay_form = PAY.format(user_id=escape(session["user_id"]), done=session.pop("done", ""))
    return PAGE.format(content=pay_form)


@app.post("/sign-in")
def sign_in():
    # After you have checked the password. A new id at each sign-in: nobody can have planted it in the browser before.
    session.update(id=secrets.token_urlsafe(), user_id=request.form["user_id"])
    return redirect("/", 303)


def signed_in():
    return Session(session["id"], session["user_id"]) if "user_id" in session else None


def message(fields, _session):
    amount = fields.get("amount")
    if not re.fullmatch(r"[1-9]\d{0,3}", str(amount), re.ASCII):
        raise Denied("We take 1 to 9999 €.")
    return f"Pay {amount} € to Example Shop?"


routes = Routes(Omi.from_environment(), message, store=MemoryStore())  # several processes need a store that they share


@app.route("/omi/<path:path>", methods=["GET", "POST", "DELETE"])
def omi(path):
    return routes(request.method, path, request.headers, request.args, request.get_data(), signed_in())


@app.post("/pay")
def pay():
    confirmed = routes.consume(request.form, signed_in())  # raises Denied
    print(f"{confirmed.message} Paid by {session['user_id']}.", flush=True)
    session["done"] = "Paid."
    return redirect("/", 303)  # a reload pays nothing again


@app.errorhandler(Denied)
def denied(error):
    return f'<p>Nothing was paid. {escape(error)}</p><a href="/">Back</a>', error.status
