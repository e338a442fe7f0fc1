import type { Backend } from '../../endpoint/http.ts';
import type { MayWrite } from '../iam/delivery-access.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { jsonResponse, type JsonObject, parseJson } from '../../protocols/json.ts';
import type { Measure } from '../cloudwatch/backend.ts';
import { Buffers } from './buffer.ts';
import { type DeliveryError, DeliveryMetrics, nameOf } from './delivery-reports.ts';
import { openJournal } from './journal.ts';
import { putRecord, putRecordBatch } from './records.ts';
import { DeliveryStreamClient } from './streams.ts';
import type { FailingArns } from './failing-arns.ts';

export type FirehoseOptions = {
  /** The endpoint of S3. */
  s3Url: string;
  log: (line: string) => void;
  /** Permissions of the delivery roles; without it they may do everything. */
  mayWrite?: MayWrite;
  /** False for a stream whose records go under the error prefix now; without it they never do. */
  canProcess?: (stream: string) => boolean;
  stateFile?: string | undefined;
  /** Keeps records that are not in S3 yet; without it they are lost with the stack. */
  journalFolder?: string | undefined;
  /** How long the creation or deletion of a stream takes. */
  settleMs?: number;
  /** The largest number of streams. */
  limit?: number;
  retryAfterMs?: Iterable<number>;
  /** Gets Firehose's log of errors. */
  failed?: (entry: DeliveryError) => void;
};

export type Firehose = {
  backend: Backend;
  /** ARNs of roles and keys that Firehose cannot use. */
  failingArns: FailingArns;
  /** Firehose's metrics in CloudWatch. */
  measure: Measure;
  /** Tries once to write all buffered records. Those that cannot be written stay in the journal. */
  close: () => Promise<void>;
};

const dayMs = 24 * 60 * 60 * 1_000;
const shortestRetryMs = 500;
const longestRetryMs = 4_000;
/** The waits before retries, in milliseconds: for a day, as Firehose retries, and short. */
const forADay: Iterable<number> = {
  *[Symbol.iterator]() {
    let wait = shortestRetryMs;
    for (let waited = 0; waited < dayMs; waited += wait, wait = Math.min(2 * wait, longestRetryMs))
      yield wait;
  },
};

const defaults = {
  settleMs: 250,
  limit: 5_000,
  retryAfterMs: forADay,
  mayWrite: () => true,
  canProcess: () => true,
  failed: () => undefined,
};

/** Data Firehose with direct puts and destinations in S3. */
export function createFirehose(options: FirehoseOptions): Firehose {
  const {
    s3Url,
    log,
    mayWrite,
    canProcess,
    stateFile,
    journalFolder,
    settleMs,
    limit,
    retryAfterMs,
    failed,
  } = { ...defaults, ...options };
  const closing = new AbortController();
  const failingArns: FailingArns = new Set();
  const streams = new DeliveryStreamClient({ stateFile, settleMs, limit, failingArns });
  const journal = openJournal(journalFolder);
  const metrics = new DeliveryMetrics();
  const buffers = new Buffers({
    ...{ s3Url, log, mayWrite, canProcess, journal, retryAfterMs, closing: closing.signal },
    written: (stream) => metrics.called(stream, 1),
    failed: ({ isLogged, ...error }) => {
      metrics.called(nameOf(error), 0);
      if (isLogged) failed(error);
    },
  });
  const operations: Record<string, (input: JsonObject) => JsonObject> = {
    CreateDeliveryStream: (input) => streams.create(input),
    DescribeDeliveryStream: (input) => streams.describe(input),
    UpdateDestination: (input) => streams.update(input),
    DeleteDeliveryStream: (input) => streams.delete(input),
    ListTagsForDeliveryStream: (input) => streams.tags(input),
    ListDeliveryStreams: (input) => streams.list(input),
    PutRecord: (input) => putRecord(streams, buffers, input),
    PutRecordBatch: (input) => putRecordBatch(streams, buffers, input),
  };
  return {
    failingArns,
    measure: (metric, { DeliveryStreamName = '' }) =>
      metrics.latest(metric, DeliveryStreamName, buffers.oldest(DeliveryStreamName)),
    backend: (request) => {
      const { operation, input } = parseJson(request);
      const run = operations[operation];
      if (!run)
        throw new AwsServiceError(400, 'UnknownOperationException', `There is no operation ${operation}.`);
      return jsonResponse(200, run(input));
    },
    close: async () => {
      closing.abort();
      await buffers.flush();
      await streams.flush();
    },
  };
}
