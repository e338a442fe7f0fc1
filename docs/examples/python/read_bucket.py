"""Reads the objects of an hour, in UTC, and of a category: python3 read_bucket.py <bucket> 2026/03/01/08/public/"""

import sys

from handlers import HANDLERS
from omi.events import SeenEvents, handle, in_order, unwrap_lines


def events_of(client, bucket, prefix):
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        for entry in page.get("Contents", []):
            yield from unwrap_lines(client.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read())


def main(client, bucket, prefix):
    handle(in_order(events_of(client, bucket, prefix)), HANDLERS, SeenEvents())


if __name__ == "__main__":
    import boto3

    main(boto3.client("s3"), *sys.argv[1:])
