/** The assumptions of the model, which it cannot read from the code. A deployment may have other values. */
import type { RequestName } from './round-trips.ts';

export type Assumptions = {
  /** Polls until the website has the answer. */
  polls: number;
  /** True if each end of a confirmation is sent to the website's call-back. */
  callbacks: boolean;
  api: 'http' | 'rest';
  /** A Lambda's function URL costs nothing more than the Lambda. It has no authorizer and no access log. */
  pollsBy: 'api' | 'function-url';
  /** Share of the website's calls for which API Gateway has no cached answer of the authorizer. */
  authorizerMisses: number;
  /** Billed milliseconds of a warm Lambda of 1,024 MB, mostly for waiting on DynamoDB, SNS and, in `callback`, websites. */
  durations: Record<RequestName | 'record' | 'schedule' | 'export', number>;
  megabytes: number;
  /** Share of the invocations, and additional milliseconds of each. */
  coldStarts: { share: number; milliseconds: number };
  /** Records in a batch of a stream, or messages in a batch of a queue. It grows with the load and is 1 without load. */
  batch: number;
  /** Traced share of the invocations. X-Ray's default rule also traces the first one in each second. */
  traced: number;
  /** True if Lambda logs its own lines for each invocation. */
  systemLogs: boolean;
  /** What the index of the events table copies: whole items, or the keys with the types and ids. */
  indexProjection: 'all' | 'keys' | 'none';
  /** The tenant's setting: events of answers have the evidence, the context and the receipt. */
  evidenceInEvents: boolean;
};

export const assumptions: Assumptions = {
  polls: 10,
  callbacks: false,
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
    callback: 250,
    record: 30,
    schedule: 15,
    export: 60,
  },
  megabytes: 1_024,
  coldStarts: { share: 0.005, milliseconds: 300 },
  batch: 10,
  traced: 0.05,
  systemLogs: false,
  indexProjection: 'keys',
  evidenceInEvents: false,
};

/** The same service behind a REST API without cached answers of the authorizer. */
export const onRestApi: Partial<Assumptions> = { api: 'rest', authorizerMisses: 1 };

/** A website that learns each result by a call-back and never polls. */
export const withCallbacks = { polls: 0, callbacks: true } as const satisfies Partial<Assumptions>;

const untraced = { traced: 0 } as const;
const smallLambdas = { megabytes: 512 } as const;
const cheapPolls = { pollsBy: 'function-url' } as const;
const fewerPolls = { polls: 5 } as const;

/** Other loads, and changes that the service does not have. */
export const variants: Record<string, Partial<Assumptions>> = {
  'as it is': {},
  'little load: batches of one, every traced call recorded': { batch: 1, traced: 1 },
  "with Lambda's own start and report lines": { systemLogs: true },
  'whole items in the index of events': { indexProjection: 'all' },
  'evidence in events': { evidenceInEvents: true },
  'no tracing': untraced,
  'Lambdas of 512 MB, if they were as fast': smallLambdas,
  'both: no tracing, and Lambdas of 512 MB': { ...untraced, ...smallLambdas },
  "polls through a Lambda's function URL": cheapPolls,
  '5 polls': fewerPolls,
  'call-backs, and no polls': withCallbacks,
  'all of these savings': {
    ...untraced,
    ...smallLambdas,
    ...cheapPolls,
    ...fewerPolls,
  },
};
