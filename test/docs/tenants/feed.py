"""Runs an example of docs/examples/python on bytes from standard input, in place of a client of boto3."""

import base64
import io
import json
import sys


class Pages:
    def __init__(self, pages):
        self._pages = pages

    def paginate(self, **_):
        return iter(self._pages)


class Stream:
    """Two shards; a read answers one record and how far behind it is."""

    def __init__(self, shards):
        self._shards = {f"shardId-{index:012}": data for index, data in enumerate(shards)}

    def get_paginator(self, operation):
        assert operation == "list_shards"
        return Pages([{"Shards": [{"ShardId": name}]} for name in reversed(self._shards)])

    def get_shard_iterator(self, StreamName, ShardId, ShardIteratorType):
        assert (StreamName, ShardIteratorType) == ("stream", "TRIM_HORIZON")
        return {"ShardIterator": f"{ShardId} 0"}

    def get_records(self, ShardIterator):
        shard, start = ShardIterator.split()
        data = self._shards[shard]
        end = int(start) + 1
        records = [{"Data": base64.b64decode(one)} for one in data[end - 1 : end]]
        behind = 0 if end >= len(data) else 1
        return {"Records": records, "MillisBehindLatest": behind, "NextShardIterator": f"{shard} {end}"}


class Bucket:
    def __init__(self, objects):
        self._objects = {key: base64.b64decode(content) for key, content in objects.items()}

    def get_paginator(self, operation):
        assert operation == "list_objects_v2"
        return self

    def paginate(self, Bucket, Prefix):
        yield {}
        for key in self._objects:
            if key.startswith(Prefix):
                yield {"Contents": [{"Key": key}]}

    def get_object(self, Bucket, Key):
        return {"Body": io.BytesIO(self._objects[Key])}


class GivenToken:
    def __init__(self, token):
        self._token = token

    def token(self, scopes):
        return self._token

    def discard(self, token):
        pass


given = json.load(sys.stdin)
if "batches" in given:
    from stream_lambda import handler

    for batch in given["batches"]:
        print(json.dumps({"answer": handler({"Records": batch}, None)}))
elif "shards" in given:
    import read_stream

    read_stream.main(Stream(given["shards"]), "stream")
elif "reconcile" in given:
    import requests
    from omi import Exports, Omi, reconcile
    from omi.calls import Caller

    asked, url = given["reconcile"], given["baseUrl"]
    omi = Omi(url, f"{url}/token", "client", "secret")
    exports = Exports(Caller(requests.request, url, GivenToken(given["token"]))) if "token" in given else omi.exports
    result = reconcile(exports, "public", copy=asked.pop("copy"), **asked)
    print(json.dumps(result))
elif "bucketToReconcile" in given:
    import reconcile_bucket

    print(json.dumps({"code": reconcile_bucket.main(Bucket(given["bucketToReconcile"]), "bucket")}))
elif "times" in given:
    from omi.events import moment_of

    print(json.dumps([moment_of({"metadata": {"occurredTime": one}}) for one in given["times"]]))
elif "seen" in given:
    from omi.events import SeenEvents

    seen, answers = SeenEvents(given["capacity"]), []
    for event in given["seen"]:
        answers.append(event in seen)
        seen.add(event)
    print(json.dumps(answers))
else:
    import read_bucket

    read_bucket.main(Bucket(given["objects"]), "bucket", given["prefix"])
