"""Says of each line of standard input, an address, how omi.evidence compares it."""

import sys

from omi.evidence import shown_origin

for line in sys.stdin:
    print((shown_origin({"ip": line.strip()}) or {}).get("ip"))
