import type { Deployment } from './deployment/deployment.ts';
import { openDeployment, type Place } from './deployment/open.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

export type GlobalOptions = Place & { json?: true };

/** One run of one command: the deployment that it is for, and its way of speaking. */
export class Session {
  readonly #terminal: Terminal;
  readonly #options: GlobalOptions;
  #deployment: Promise<Deployment> | undefined;

  constructor(terminal: Terminal, options: GlobalOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  /** Found when it is first needed: what is wrong with the options is said before. */
  async deployment(): Promise<Deployment> {
    this.#deployment ??= openDeployment(this.#options, this.#terminal.environment);
    return await this.#deployment;
  }

  /** The result: as JSON for scripts, or as people read it. */
  print(value: unknown, text: string): void {
    this.#terminal.out(`${this.#options.json ? JSON.stringify(value, null, 2) : text.trimEnd()}\n`);
  }

  /** Says on the side what is going on, or what else there is to know. */
  note(line: string): void {
    this.#terminal.err(`${line}\n`);
  }

  /** While the work runs, Ctrl-C calls the listener and ends nothing. */
  async minding<Result>(interrupted: () => void, work: () => Promise<Result>): Promise<Result> {
    const forget = this.#terminal.onInterrupt?.(interrupted);
    try {
      return await work();
    } finally {
      forget?.();
    }
  }

  /** Asks before what cannot be undone. */
  async confirm(question: string, yes: boolean | undefined): Promise<void> {
    if (yes) return;
    const { ask } = this.#terminal;
    if (!ask) throw new UsageError(`${question} Nobody is there to ask: say --yes if it is meant.`);
    const answer = await ask(`${question} [y/N] `).catch(notAnswered);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.');
  }

  async close(): Promise<void> {
    const deployment = await this.#deployment?.catch(() => undefined);
    deployment?.clients.close();
  }
}

/** Ctrl-C or Ctrl-D in place of an answer. */
function notAnswered(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return '';
  throw error;
}
