import { problem } from './answers.ts';

export type DeniedOptions = { code?: string; status?: number };

/**
 * The website does not carry out the action. `message` of {@link RoutesOptions} returns or throws it for its own reasons, and
 * `consume` throws it. The user may read its text.
 */
export class Denied extends Error {
  override readonly name = 'Denied';
  readonly code: string;
  readonly status: number;

  constructor(detail: string, { code = 'denied', status = 403 }: DeniedOptions = {}) {
    super(detail);
    this.code = code;
    this.status = status;
  }

  /** The answer to send. */
  response(): Response {
    return problem(this.status, this.code, this.message);
  }
}
