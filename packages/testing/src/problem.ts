import type { OmiErrorCode, RequestFault } from '@omi/website';

type Details = { retryAfterMs?: number; errors?: RequestFault[] };

/** A refusal, as the service writes it (RFC 9457). */
export class Problem extends Error {
  readonly #status: number;
  readonly #code: OmiErrorCode;
  readonly #details: Details;

  constructor(status: number, code: OmiErrorCode, detail: string, details: Details = {}) {
    super(detail);
    this.#status = status;
    this.#code = code;
    this.#details = details;
  }

  response(): Response {
    const [status, code] = [this.#status, this.#code];
    const { retryAfterMs, errors } = this.#details;
    return Response.json(
      { type: `https://api.omi.example/problems/${code}`, status, code, detail: this.message, errors },
      {
        status,
        headers: {
          'content-type': 'application/problem+json',
          ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
        },
      },
    );
  }
}
