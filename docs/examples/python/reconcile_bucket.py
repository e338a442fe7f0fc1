"""Compares the last hours of a bucket with the ledger, and asks for a replay: python3 reconcile_bucket.py <bucket> public 24"""

import json
import os
import sys
import time
from datetime import datetime, timezone

from omi import Omi, reconcile
from omi.ledger import HOUR
from read_bucket import events_of


def copy_of(client, bucket, category, start, end):
    """Objects are filed by the hour in which they reached Firehose: never before the hour of acceptance, but maybe after it."""
    hour = start // HOUR * HOUR
    while hour <= end:
        prefix = datetime.fromtimestamp(hour, timezone.utc).strftime("%Y/%m/%d/%H")
        yield from events_of(client, bucket, f"{prefix}/{category}/")
        hour += HOUR


def main(client, bucket, category="public", hours="24"):
    omi = Omi(*(os.environ[name] for name in ("OMI_BASE_URL", "OMI_TOKEN_URL", "OMI_CLIENT_ID", "OMI_CLIENT_SECRET")))
    now = time.time()
    start = now - int(hours) * HOUR
    copy = copy_of(client, bucket, category, start, now)
    result = reconcile(omi.exports, category, start, now, copy, repair=True)
    print(json.dumps(result, indent=2))
    return 1 if any(hour["status"] == "incomplete" for hour in result["hours"]) else 0


if __name__ == "__main__":
    import boto3

    sys.exit(main(boto3.client("s3"), *sys.argv[1:]))
