import { markHidden } from '../core/kernel/hidden-characters.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Deployment } from './deployment/deployment.ts';

/** Where the commands write and ask. */
export type Terminal = {
  /** Only results: scripts read them. */
  out: (text: string) => void;
  /** Progress, questions and errors. */
  err: (text: string) => void;
  /** Missing if no person is there to answer. */
  ask?: (question: string) => Promise<string>;
  /** Calls the listener at Ctrl-C instead of ending the command. The result removes the listener. */
  onInterrupt?: (listener: () => void) => () => void;
  environment: NodeJS.ProcessEnv;
};

export type GlobalOptions = { stage: string; region?: string; local?: true; json?: true };

/** One run of one command. */
export class Session {
  readonly #terminal: Terminal;
  readonly #options: GlobalOptions;
  #deployment: Promise<Deployment> | undefined;

  constructor(terminal: Terminal, options: GlobalOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  get environment(): NodeJS.ProcessEnv {
    return this.#terminal.environment;
  }

  /** Which deployment the command line names. */
  get place(): Pick<GlobalOptions, 'stage' | 'region' | 'local'> {
    return this.#options;
  }

  /** Opened at the first call, so that wrong options are reported before a missing deployment. */
  async deployment(): Promise<Deployment> {
    this.#deployment ??= this.#open();
    return await this.#deployment;
  }

  async #open(): Promise<Deployment> {
    const { stage, region, local } = this.#options;
    if (local) {
      const { localDeployment } = await import('./deployment/local-client.ts');
      return await localDeployment(this.environment);
    }
    const { cloudDeployment } = await import('./deployment/cloud-client.ts');
    return await cloudDeployment(stage, region, this.environment);
  }

  /** Prints the result: as JSON for scripts, or as text for people. */
  print(value: unknown, text: string): void {
    this.#terminal.out(`${this.#options.json ? JSON.stringify(value, null, 2) : text.trimEnd()}\n`);
  }

  /** Prints a line of progress, or of something else that is not the result. It may name what is not the operator's own. */
  note(line: string): void {
    this.#terminal.err(`${markHidden(line)}\n`);
  }

  /** While the work runs, Ctrl-C calls the listener and does not end the command. */
  async handlingInterrupts<Result>(interrupted: () => void, work: () => Promise<Result>): Promise<Result> {
    const stop = this.#terminal.onInterrupt?.(interrupted);
    try {
      return await work();
    } finally {
      stop?.();
    }
  }

  /** Asks before something that cannot be undone. */
  async confirm(question: string, yes: boolean | undefined): Promise<void> {
    if (yes) return;
    const { ask } = this.#terminal;
    if (!ask) throw new UsageError(`${question} No terminal to ask for confirmation. Pass --yes to proceed.`);
    const answer = await ask(`${question} [y/N] `).catch(noAnswer);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.');
  }

  /** Asks a person, if one is there, before something that a script may do without being asked. */
  async confirmIfPossible(question: string, yes: boolean | undefined): Promise<void> {
    if (this.#terminal.ask) await this.confirm(question, yes);
  }

  async close(): Promise<void> {
    const deployment = await this.#deployment?.catch(() => undefined);
    deployment?.clients.close();
  }
}

/** Ctrl-C or Ctrl-D in place of an answer. */
function noAnswer(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return '';
  throw error;
}
