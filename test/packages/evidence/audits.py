"""Runs omi.evidence, or omi.groups for a group, for each line of standard input, a JSON list of its arguments."""

import contextlib
import io
import json
import sys

from omi import evidence, groups

for line in sys.stdin:
    output = io.StringIO()
    arguments = json.loads(line)
    program = groups if "--group" in arguments else evidence
    with contextlib.redirect_stdout(output):
        code = program.main(arguments)
    print(json.dumps({"code": code, "output": output.getvalue()}), flush=True)
