"""Runs omi_evidence.py for each line of standard input, a JSON list of its arguments."""

import contextlib
import io
import json
import sys

from omi_evidence import main

for line in sys.stdin:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = main(json.loads(line))
    print(json.dumps({"code": code, "output": output.getvalue()}), flush=True)
