import { randomBytes } from 'node:crypto';
import { asArray, asObject, type JsonObject } from '../../protocols/json.ts';
import type { Buffers } from './buffer.ts';
import { invalidArgument } from './errors.ts';
import type { DeliveryStreamClient } from './streams.ts';

// Amazon Data Firehose quotas: the size of a record before base64 encoding.
const mostRecords = 500;
const mostRecordBytes = 1_024_000;
const mostBatchBytes = 4 * 1_048_576;

export function putRecord(streams: DeliveryStreamClient, buffers: Buffers, input: JsonObject): JsonObject {
  const source = streams.source(input['DeliveryStreamName']);
  buffers.add(source, [decode(input['Record'])]);
  return { RecordId: recordId(), Encrypted: false };
}

export function putRecordBatch(
  streams: DeliveryStreamClient,
  buffers: Buffers,
  input: JsonObject,
): JsonObject {
  const source = streams.source(input['DeliveryStreamName']);
  const entries = asArray(input['Records']);
  if (entries.length < 1 || entries.length > mostRecords) {
    throw invalidArgument(`A batch must have between 1 and ${mostRecords} records.`);
  }
  const records = entries.map(decode);
  const bytes = records.reduce((sum, { length }) => sum + length, 0);
  if (bytes > mostBatchBytes) throw invalidArgument('Records size exceeds 4 MB limit');
  buffers.add(source, records);
  return {
    RequestResponses: records.map(() => ({ RecordId: recordId() })),
    FailedPutCount: 0,
    Encrypted: false,
  };
}

function decode(record: unknown): Buffer {
  const data = asObject(record)['Data'];
  if (typeof data !== 'string') throw invalidArgument('A record has no Data.');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > mostRecordBytes) throw invalidArgument('Record size exceeds 1,000 KB limit');
  return bytes;
}

function recordId(): string {
  return randomBytes(80).toString('base64');
}
