/** The messages between the two sides of a worker thread. Events and results are JSON, as in AWS. */

/** The worker gets it at its start. */
export type WorkerData = {
  /** URL of the bundle, whose `handler` is called. */
  bundle: string;
};

/** One call of the handler. */
export type Request = {
  requestId: string;
  event: string;
  /** The X-Ray header of the chain of calls, which the SDK forwards. */
  trace: string;
  /** The time of the timeout, in milliseconds since 1970. */
  deadline: number;
};

/** An error of the function, as Lambda returns it. */
export type LambdaError = { errorType: string; errorMessage: string; trace?: string[] };

export type Outcome = { payload: string } | { error: LambdaError };

export type Reply = { kind: 'ready' } | ({ kind: 'done'; requestId: string } & Outcome);

/** Lambda's form of any thrown value. */
export function lambdaErrorOf(thrown: unknown): LambdaError {
  if (!isError(thrown)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  const { name, message, stack } = thrown;
  return { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
}

/** By its members, because `instanceof` does not recognise errors of another thread. */
const isError = (thrown: unknown): thrown is Error =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown && 'message' in thrown;
