import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ClientError } from '../../../client/http.ts';

const nobody = (): ClientError =>
  new ClientError(
    'There is no terminal to ask. Start the phone in a terminal, or pass --confirm, --deny or --not-me. If a number ' +
      'must match, --confirm also needs a terminal.',
  );

type Waiting = PromiseWithResolvers<string>;

/** Asks until somebody gives a clear answer. */
export class Terminal {
  /** Lines of a pipe that nobody has asked for yet. What is typed before a question is no answer to it. */
  readonly #early: string[] = [];
  #hasEnded = false;
  #waiting: Waiting | undefined;

  constructor() {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    lines.on('line', (line) => {
      if (this.#waiting) this.#waiting.resolve(line);
      else if (!process.stdin.isTTY) this.#early.push(line);
    });
    lines.once('close', () => {
      // At a terminal this is Ctrl-C or Ctrl-D, which stops the phone.
      if (process.stdin.isTTY) process.exit(0);
      this.#hasEnded = true;
      this.#waiting?.reject(nobody());
    });
  }

  /** @throws {ClientError} if nobody can answer any more, because the input has ended */
  requireSomebody(): void {
    if (this.#hasEnded && this.#early.length === 0) throw nobody();
  }

  /**
   * @param read returns undefined for an unclear answer, which is asked for again
   * @throws {ClientError} if there is nobody to ask; the signal's reason if it is aborted first
   */
  async ask<T>(question: string, read: (line: string) => T | undefined, signal: AbortSignal): Promise<T> {
    for (;;) {
      this.requireSomebody();
      process.stdout.write(question);
      const answer = read((await this.#nextLine(signal)).trim().toLowerCase());
      if (answer !== undefined) return answer;
      console.log('  That was not clear.');
    }
  }

  async #nextLine(signal: AbortSignal): Promise<string> {
    const early = this.#early.shift();
    if (early !== undefined) return early;
    signal.throwIfAborted();
    const waiting: Waiting = Promise.withResolvers();
    const abort = (): void => waiting.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting = waiting;
    try {
      return await waiting.promise;
    } finally {
      this.#waiting = undefined;
      signal.removeEventListener('abort', abort);
    }
  }
}

/** @throws {ClientError} where nobody can ever answer: the input is closed, or is /dev/null */
export function requireInput(): void {
  if (process.stdin.isTTY) return;
  try {
    if (!fstatSync(0).isCharacterDevice()) return;
  } catch {
    // The input is closed.
  }
  throw nobody();
}
