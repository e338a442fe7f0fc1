"""Prints what Omi.keys() gives, and how often it loads, at times that standard input names with whether the service answers."""

import json
import sys
from unittest import mock

import requests

from omi.client import Omi
from omi.errors import OmiError

omi = Omi("https://omi.example.com", "https://sign-in.example.com/token", "shop", "secret")
loads = 0


def send(answers: bool) -> requests.Response:
    global loads
    loads += 1
    if not answers:
        raise requests.ConnectionError
    answer = requests.Response()
    answer.status_code, answer._content = 200, b'{"keys":[]}'
    return answer


for at, answers in json.load(sys.stdin):
    omi._send = lambda *_, **__: send(answers)
    with mock.patch("time.monotonic", lambda: at):
        try:
            omi.keys()
            print("keys", loads)
        except OmiError as error:
            print(error.code, loads)
