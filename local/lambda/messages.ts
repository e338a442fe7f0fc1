/** What the two sides of a Lambda's worker thread say to each other. Events and results travel as JSON, as on AWS. */

/** Given to the worker when it starts. */
export type WorkerData = {
  /** URL of the bundle, whose `handler` is called. */
  bundle: string;
};

/** One call of the handler. */
export type Request = {
  requestId: string;
  event: string;
  /** What Lambda tells a function of the chain of calls that it is in, for the SDK to pass on. */
  trace: string;
  /** When the Lambda's time is up, in milliseconds since 1970. */
  deadline: number;
};

/** How Lambda tells a caller that the function failed, not the call. */
export type LambdaError = { errorType: string; errorMessage: string; trace?: string[] };

export type Outcome = { payload: string } | { error: LambdaError };

export type Reply = { kind: 'ready' } | ({ kind: 'done'; requestId: string } & Outcome);

/** Anything may be thrown; Lambda shows it in this form. */
export function lambdaErrorOf(thrown: unknown): LambdaError {
  if (!isError(thrown)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  const { name, message, stack } = thrown;
  return { errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] };
}

/** By its members: an error of another thread is none to `instanceof`. */
const isError = (thrown: unknown): thrown is Error =>
  typeof thrown === 'object' && thrown !== null && 'name' in thrown && 'message' in thrown;
