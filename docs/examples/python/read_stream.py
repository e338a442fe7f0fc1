"""Reads what is in a stream now, from its oldest record on: python3 read_stream.py <stream>"""

import sys
import time

from handlers import HANDLERS
from omi.events import SeenEvents, handle, unwrap


def shards_of(client, stream):
    """In order of their ids: a shard that was split or merged before those that it became."""
    pages = client.get_paginator("list_shards").paginate(StreamName=stream)
    return sorted(shard["ShardId"] for page in pages for shard in page["Shards"])


def records_of(client, stream):
    for shard in shards_of(client, stream):
        start = client.get_shard_iterator(StreamName=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON")
        iterator = start["ShardIterator"]
        while iterator:
            page = client.get_records(ShardIterator=iterator)
            yield from (record["Data"] for record in page["Records"])
            if not page.get("MillisBehindLatest"):
                break
            iterator = page.get("NextShardIterator")
            time.sleep(0.2)  # a shard answers five reads a second


def main(client, stream):
    seen = SeenEvents()
    for data in records_of(client, stream):
        handle(unwrap(data), HANDLERS, seen)


if __name__ == "__main__":
    import boto3

    main(boto3.client("kinesis"), *sys.argv[1:])
