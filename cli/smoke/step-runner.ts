import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { seconds } from '../../core/kernel/time.ts';
import { explainError } from '../describe-error.ts';
import { CommandError } from '../command-error.ts';

export type StepDefinition = {
  /** For scripts. */
  name: string;
  /** For people: what the step proves. */
  title: string;
  /** How long the step may take. */
  limitSeconds: number;
  /** What to do if it fails. */
  hint: string;
};

export type StepResult = {
  name: string;
  title: string;
  status: 'ok' | 'failed' | 'skipped';
  seconds: number;
  detail?: string;
  /** Why it failed or was skipped. */
  reason?: string;
  hint?: string;
};

/** The context of a step's work. */
export type StepRun = {
  /** Aborted at the time limit of the step or of the command, and at Ctrl-C. */
  signal: AbortSignal;
  /** Adds a detail to the result. */
  say: (detail: string) => void;
};

/** The results of the earlier steps that a step needs. It is skipped if one is missing. */
type Present<Needs extends readonly unknown[]> = { [Index in keyof Needs]: Exclude<Needs[Index], undefined> };

type Work<Needs extends readonly unknown[], Made> = (needs: Present<Needs>, run: StepRun) => Promise<Made>;

const hasAll = <Needs extends readonly unknown[]>(needs: Needs): needs is Needs & Present<Needs> =>
  !needs.includes(undefined);

/** Runs steps one after the other. After a failure it skips only the steps that need the missing result. */
export class StepRunner {
  readonly results: StepResult[] = [];
  readonly #signal: AbortSignal;
  readonly #report: (result: StepResult) => void;
  readonly #unsettled = new Set<Promise<unknown>>();

  constructor(signal: AbortSignal, report: (result: StepResult) => void) {
    this.#signal = signal;
    this.#report = report;
  }

  /** @returns the result of the work, or nothing if the step failed or was skipped */
  async step<const Needs extends readonly unknown[], Made>(
    definition: StepDefinition,
    needs: Needs,
    work: Work<Needs, Made>,
  ): Promise<Made | undefined> {
    if (this.#signal.aborted) {
      this.skip(definition, reasonOf(this.#signal));
      return undefined;
    }
    if (!hasAll(needs)) {
      this.skip(definition, 'a step that it needs did not pass');
      return undefined;
    }
    return await this.#run(definition, async (run) => await work(needs, run));
  }

  skip({ name, title }: StepDefinition, reason: string): void {
    this.#tell({ name, title, status: 'skipped', seconds: 0, reason });
  }

  /** Waits for the calls of abandoned steps, so that the removal includes what they create. */
  async untilCallsEnd(limitSeconds: number): Promise<void> {
    const limit = new AbortController();
    const late = wait(limitSeconds * seconds, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#unsettled), late]);
    limit.abort();
  }

  async #run<Made>(
    { limitSeconds, hint, ...named }: StepDefinition,
    work: (run: StepRun) => Promise<Made>,
  ): Promise<Made | undefined> {
    const begun = Date.now();
    const limit = AbortSignal.timeout(limitSeconds * seconds);
    const signal = AbortSignal.any([this.#signal, limit]);
    const details: string[] = [];
    const result = () => ({
      ...named,
      seconds: (Date.now() - begun) / seconds,
      ...(details.length > 0 && { detail: details.join('; ') }),
    });
    try {
      const working = this.#watched(work({ signal, say: (detail) => details.push(detail) }));
      const made = await Promise.race([working, aborted(signal)]);
      this.#tell({ ...result(), status: 'ok' });
      return made;
    } catch (error) {
      // The work notices the end of its time only now, and may still report its progress.
      await setImmediate();
      this.#tell({ ...result(), status: 'failed', ...this.#failureOf(error, limit, { limitSeconds, hint }) });
      return undefined;
    }
  }

  /** If the command was ended from outside, nothing is wrong with the step, so there is no hint. */
  #failureOf(
    error: unknown,
    limit: AbortSignal,
    { limitSeconds, hint }: Pick<StepDefinition, 'limitSeconds' | 'hint'>,
  ): Pick<StepResult, 'reason' | 'hint'> {
    if (this.#signal.aborted) return { reason: reasonOf(this.#signal) };
    const cause = limit.aborted ? new CommandError(`no result within ${limitSeconds} s`) : error;
    const explained = explainError(cause);
    return { reason: explained.what, hint: explained.hint ?? hint };
  }

  #watched<Made>(working: Promise<Made>): Promise<Made> {
    this.#unsettled.add(working);
    const forget = (): void => void this.#unsettled.delete(working);
    working.then(forget, forget);
    return working;
  }

  #tell(result: StepResult): void {
    this.results.push(result);
    this.#report(result);
  }
}

const reasonOf = ({ reason }: AbortSignal): string => explainError(reason).what;

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}
