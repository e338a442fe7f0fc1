"""Says of each line of standard input, the text of a context, whether omi.evidence reads it."""

import sys

from omi.evidence import EvidenceError, read_context

for line in sys.stdin:
    try:
        read_context(line)
        print("read")
    except EvidenceError as error:
        print(error.code)
