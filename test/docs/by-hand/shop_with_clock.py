"""The shop of docs/examples/python/shop.py, as it is, with a clock that a test turns: `POST /clock?seconds=121`."""

from datetime import datetime, timedelta

import shop
from flask import request

app = shop.app
ahead = timedelta()


class Clock(datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + ahead


shop.datetime = Clock


@app.post("/clock")
def turn():
    global ahead
    ahead = timedelta(seconds=request.args.get("seconds", type=int))
    return "", 204
