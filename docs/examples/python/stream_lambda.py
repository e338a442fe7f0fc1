"""A Lambda behind the stream. Its event source mapping needs FunctionResponseTypes: [ReportBatchItemFailures]."""

import base64
import logging

from handlers import HANDLERS
from omi.events import SeenEvents, handle, unwrap

SEEN = SeenEvents()  # as long as this instance of the Lambda lives


def handler(event, context):
    """Stops at the first record that fails: Lambda sends that one and all behind it again, so order stays."""
    for record in event["Records"]:
        kinesis = record["kinesis"]
        try:
            handle(unwrap(base64.b64decode(kinesis["data"])), HANDLERS, SEEN)
        except Exception:
            logging.exception("Record %s failed", kinesis["sequenceNumber"])
            return {"batchItemFailures": [{"itemIdentifier": kinesis["sequenceNumber"]}]}
    return {"batchItemFailures": []}
