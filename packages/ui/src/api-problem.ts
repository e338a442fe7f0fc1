/** Why a call failed, in words for people. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    { status, code, retryAfter }: { status: number; code?: string; retryAfter?: number },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const unreachable = (): ApiProblem =>
  new ApiProblem('The service cannot be reached. Check your connection.', { status: 0 });

type Body = { code?: unknown; detail?: unknown; errors?: unknown };

/** @param body what the service answered: problem details, or the gateway's own form */
export function problemOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: unknown,
): ApiProblem {
  const { code, detail, errors } = (typeof body === 'object' && body !== null ? body : {}) as Body;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  const words = typeof detail === 'string' ? detail : wordsFor(status);
  return new ApiProblem([words, ...faultsIn(errors), ...waitFor(status, retryAfter)].join(' '), {
    status,
    ...(typeof code === 'string' && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function wordsFor(status: number): string {
  if (status === 401) return 'The service does not accept this token.';
  if (status === 403) return 'This token does not allow that.';
  if (status === 404) return 'The service does not know that.';
  if (status === 429) return 'Too many requests.';
  return status >= 500 ? 'The service is not available at the moment.' : `The service answered ${status}.`;
}

const faultsIn = (errors: unknown): string[] =>
  (Array.isArray(errors) ? errors : []).flatMap((error: unknown) => {
    const { pointer, detail } = (error ?? {}) as { pointer?: unknown; detail?: unknown };
    return typeof detail === 'string'
      ? [`${typeof pointer === 'string' ? `${pointer}: ` : ''}${detail}.`]
      : [];
  });

function waitFor(status: number, seconds: number | undefined): string[] {
  if (seconds === undefined || (status !== 429 && status !== 503)) return [];
  const minutes = Math.ceil(seconds / 60);
  return [
    seconds < 90
      ? `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
      : `Try again in ${minutes} minutes.`,
  ];
}
