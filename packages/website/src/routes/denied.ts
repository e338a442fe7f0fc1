import { htmlPage, problem } from './answers.ts';

export type DeniedOptions = {
  code?: string;
  status?: number;
  /** A page in place of the problem document, for a form that a browser sent by itself. */
  html?: string;
};

/**
 * The website does not carry out the action. `message` of {@link RoutesOptions} returns or throws it for its own reasons, and
 * `consume` throws it. The user may read its text.
 */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly code: string;
  readonly status: number;
  readonly #html: string | undefined;

  constructor(detail: string, { code = 'denied', status = 403, html }: DeniedOptions = {}) {
    super(detail);
    this.code = code;
    this.status = status;
    this.#html = html;
  }

  /** The answer to send. */
  response(): Response {
    return this.#html === undefined
      ? problem(this.status, this.code, this.message)
      : htmlPage(this.status, this.#html);
  }
}
