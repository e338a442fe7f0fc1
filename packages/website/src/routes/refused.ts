import { problem } from './answers.ts';

/** The request is refused before anything was asked for it. */
export class Refused extends Error {
  readonly response: Response;

  constructor(status: number, code: string, detail: string, headers?: Record<string, string>) {
    super(code);
    this.response = problem(status, code, detail, headers);
  }
}
