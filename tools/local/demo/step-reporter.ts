import { performance } from 'node:perf_hooks';

/** A step of the demo failed. */
export class StepError extends Error {
  constructor(number: number, title: string, cause: unknown) {
    super(`Step ${number} (${title}) failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

export type Print = (line: string) => void;

/** Prints numbered steps with their results and durations. */
export class StepReporter {
  #steps = 0;
  readonly #print: Print;

  constructor(print: Print) {
    this.#print = print;
  }

  get steps(): number {
    return this.#steps;
  }

  async step<Result>(title: string, work: (print: Print) => Result | Promise<Result>): Promise<Result> {
    const number = ++this.#steps;
    const lines: string[] = [];
    const begun = performance.now();
    try {
      const result = await work((line) => lines.push(line));
      const took = Math.round(performance.now() - begun);
      this.#print(`${String(number).padStart(2)}. ${title} (${took} ms)`);
      for (const line of lines.flatMap((text) => text.split('\n'))) this.#print(`      ${line}`);
      return result;
    } catch (error) {
      throw new StepError(number, title, error);
    }
  }
}

/** The beginning of a secret, to recognise it. */
export const masked = (secret: string): string => `${secret.slice(0, 6)}… (${secret.length} characters)`;

/** For the beginning of a sentence. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
