/** What the model cannot read from the code. Every figure here is an assumption; those of a deployment may differ. */
import type { RequestName } from './round-trips.ts';

export type Assumptions = {
  /** Polls until the website learns the answer. */
  polls: number;
  api: 'http' | 'rest';
  /** A Lambda's own URL costs nothing beside the Lambda; it has no authorizer in front of it, and no access log. */
  pollsBy: 'api' | 'function-url';
  /** Of the website's calls, the share for which API Gateway's cache has no answer of the authorizer. */
  authorizerMisses: number;
  /** Milliseconds that a warm Lambda of 1,024 MB is billed, mostly for waiting on DynamoDB and SNS. */
  durations: Record<RequestName | 'record' | 'schedule' | 'export', number>;
  megabytes: number;
  /** Of the invocations, and the milliseconds that each adds. */
  coldStarts: { share: number; milliseconds: number };
  /** Records in a batch of a stream or messages in one of a queue: grows with the load, and is 1 without any. */
  batch: number;
  /** Of the invocations of traced Lambdas: X-Ray's default rule, beyond the first in each second. */
  traced: number;
  /** Whether Lambda writes lines of its own for each invocation. */
  systemLogs: boolean;
  /** What the index of the events table copies. */
  indexProjection: 'all' | 'keys' | 'none';
};

export const assumptions: Assumptions = {
  polls: 10,
  api: 'http',
  pollsBy: 'api',
  authorizerMisses: 0.01,
  durations: {
    authorize: 8,
    list: 7,
    send: 45,
    poll: 6,
    fetch: 14,
    answer: 24,
    alarm: 12,
    record: 30,
    schedule: 15,
    export: 60,
  },
  megabytes: 1_024,
  coldStarts: { share: 0.005, milliseconds: 300 },
  batch: 10,
  traced: 0.05,
  systemLogs: false,
  indexProjection: 'all',
};

/** The same service behind a REST API whose authorizer is asked each time. */
export const onRestApi: Partial<Assumptions> = { api: 'rest', authorizerMisses: 1 };

const untraced = { traced: 0 } as const;
const keysIndexed = { indexProjection: 'keys' } as const;
const smallLambdas = { megabytes: 512 } as const;
const cheapPolls = { pollsBy: 'function-url' } as const;
const fewerPolls = { polls: 5 } as const;

/** What else it would cost: other loads, and changes that the service does not have. */
export const variants: Record<string, Partial<Assumptions>> = {
  'as it is': {},
  'little load: batches of one, every traced call recorded': { batch: 1, traced: 1 },
  "with Lambda's own start and report lines": { systemLogs: true },
  'no tracing': untraced,
  'keys alone in the index of events': keysIndexed,
  'Lambdas of 512 MB, were they as quick': smallLambdas,
  'the three changes above': { ...untraced, ...keysIndexed, ...smallLambdas },
  "polls by a Lambda's own URL": cheapPolls,
  '5 polls': fewerPolls,
  'all of these changes': {
    ...untraced,
    ...keysIndexed,
    ...smallLambdas,
    ...cheapPolls,
    ...fewerPolls,
  },
};
