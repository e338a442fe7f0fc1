"""Writes each line of standard input, a JSON text, as omi.evidence hashes it."""

import json
import sys

from omi.evidence import _stringify

for line in sys.stdin:
    print(_stringify(json.loads(line, parse_int=float)))
