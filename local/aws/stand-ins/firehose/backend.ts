import type { Backend } from '../../endpoint/http.ts';
import type { MayWrite } from '../iam/delivery-access.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { jsonResponse, type JsonObject, parseJson } from '../../protocols/json.ts';
import { createBuffers } from './buffer.ts';
import { openJournal } from './journal.ts';
import { putRecord, putRecordBatch } from './records.ts';
import { DeliveryStreamClient } from './streams.ts';
import type { FailingArns } from './failing-arns.ts';

export type FirehoseOptions = {
  /** Where objects are written: S3 as any client reaches it. */
  s3Url: string;
  log: (line: string) => void;
  /** What the delivery roles may do; without it everything. */
  mayWrite?: MayWrite;
  stateFile?: string | undefined;
  /** Where records are kept that are not in S3 yet; without it they go with the stack. */
  journalFolder?: string | undefined;
  /** How long a stream is created or deleted. */
  settleMs?: number;
  /** How many streams an account may have. */
  limit?: number;
  retryAfterMs?: Iterable<number>;
};

export type Firehose = {
  backend: Backend;
  /** ARNs of roles and keys that are to fail. */
  failingArns: FailingArns;
  /** Writes everything that is buffered, and stops waiting for what cannot be written: it is kept, or lost. */
  close: () => Promise<void>;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const SHORTEST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 4_000;
/** Milliseconds to wait before each try: for a day, as Firehose does, and soon, as nobody here waits for hours. */
export const forADay: Iterable<number> = {
  *[Symbol.iterator]() {
    let wait = SHORTEST_RETRY_MS;
    for (let waited = 0; waited < DAY_MS; waited += wait, wait = Math.min(2 * wait, LONGEST_RETRY_MS))
      yield wait;
  },
};

const DEFAULTS = { settleMs: 250, limit: 5_000, retryAfterMs: forADay, mayWrite: () => true };

/** Data Firehose from direct puts to S3: no emulator on npm has it. */
export function createFirehose(options: FirehoseOptions): Firehose {
  const { s3Url, log, mayWrite, stateFile, journalFolder, settleMs, limit, retryAfterMs } = {
    ...DEFAULTS,
    ...options,
  };
  const ending = new AbortController();
  const failingArns: FailingArns = new Set();
  const streams = new DeliveryStreamClient({ stateFile, settleMs, limit, failingArns });
  const journal = openJournal(journalFolder);
  const buffers = createBuffers({ s3Url, log, mayWrite, journal, retryAfterMs, ending: ending.signal });
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
    backend: (request) => {
      const { operation, input } = parseJson(request);
      const run = operations[operation];
      if (!run)
        throw new AwsServiceError(400, 'UnknownOperationException', `There is no operation ${operation}.`);
      return jsonResponse(200, run(input));
    },
    close: async () => {
      ending.abort();
      await buffers.flush();
      await streams.flush();
    },
  };
}
