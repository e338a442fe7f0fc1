"""Compares the last hours of a bucket with the ledger, and asks for a replay: python3 reconcile_bucket.py <bucket> public 24"""

import json
import os
import sys
import time
from datetime import datetime, timezone

from omi_ledger import HOUR, Exports, client_token, reconcile
from read_bucket import events_of

SCOPES = os.environ.get("OMI_SCOPES", "omi/omi:exports:get omi/omi:exports:post")


def copy_of(client, bucket, category, start, end):
    """Objects are filed by the hour in which they reached Firehose: never before the hour of acceptance, but maybe after it."""
    hour = start // HOUR * HOUR
    while hour <= end:
        prefix = datetime.fromtimestamp(hour, timezone.utc).strftime("%Y/%m/%d/%H")
        yield from events_of(client, bucket, f"{prefix}/{category}/")
        hour += HOUR


def main(client, bucket, category="public", hours="24"):
    token = client_token(
        os.environ["OMI_TOKEN_URL"], os.environ["OMI_CLIENT_ID"], os.environ["OMI_CLIENT_SECRET"], SCOPES
    )
    now = time.time()
    start = now - int(hours) * HOUR
    exports = Exports(os.environ["OMI_BASE_URL"], lambda: token)
    copy = copy_of(client, bucket, category, start, now)
    result = reconcile(exports, category, start, now, copy, repair=True)
    print(json.dumps(result, indent=2))
    return 0 if result["complete"] else 1


if __name__ == "__main__":
    import boto3

    sys.exit(main(boto3.client("s3"), *sys.argv[1:]))
