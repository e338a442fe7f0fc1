import { Denied } from '#website';

type Options = { status?: number; code?: string; field?: string; headers?: Record<string, string> };

/** Why the bank refuses, for the page and its user. The routes of `@omi/website` answer it as well. */
export class Problem extends Denied {
  readonly field: string | undefined;
  readonly #headers: Record<string, string>;

  constructor(detail: string, { status = 403, code = 'denied', field, headers = {} }: Options = {}) {
    super(detail, { code, status });
    this.field = field;
    this.#headers = headers;
  }

  /** Problem details (RFC 9457). `errors` names the field of the form. */
  override response(): Response {
    const { status, code, message: detail, field } = this;
    const errors = field === undefined ? undefined : [{ pointer: `#/${field}`, detail }];
    return new Response(JSON.stringify({ status, code, detail, errors }), {
      status,
      headers: { ...this.#headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    });
  }
}

/** The value of one field is the reason. */
export const refusedField = (field: string, detail: string): Problem => new Problem(detail, { field });
