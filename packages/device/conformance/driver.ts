/** What the suite says to a driver, and how: by lines of JSON to a process, or by HTTP. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Command = { do: string } & Record<string, unknown>;
export type Result = Record<string, unknown>;
export type Outcome = { result: Result } | { error: { code: string; message?: string } };

/** The driver itself does not work, so nothing can be said about the device. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}

/** No answer within the time that the command had. */
export class Hangs extends Error {
  override readonly name = 'Hangs';
}

export interface Driver {
  /**
   * @throws {Hangs} if there is no answer within `patienceMs`
   * @throws {DriverError} if the answer has another form
   */
  send(command: Command, patienceMs: number): Promise<Outcome>;
  stop(): Promise<void>;
}

/** @param how a command of the shell, or the URL of a hook */
export const driverOf = (how: string): Driver =>
  /^https?:\/\//.test(how) ? new HookDriver(how) : new ProcessDriver(how);

function outcomeOf(text: string): Outcome {
  let answer: Partial<Record<'result' | 'error', unknown>>;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw new DriverError(`The driver must answer one line of JSON. It wrote: ${text.slice(0, 200)}`);
  }
  const { error, result } = answer;
  if (isMembers(error) && typeof error['code'] === 'string') return { error: error as { code: string } };
  if (isMembers(result)) return { result };
  throw new DriverError(`The driver must answer "result" or "error". It wrote: ${text.slice(0, 200)}`);
}

const isMembers = (value: unknown): value is Result =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A process that answers each line of its input by one line. It is started again after it hung. */
class ProcessDriver implements Driver {
  readonly #command: string;
  #process: ChildProcessWithoutNullStreams | undefined;
  #lines: AsyncIterator<string> | undefined;

  constructor(command: string) {
    this.#command = command;
  }

  async send(command: Command, patienceMs: number): Promise<Outcome> {
    this.#start();
    this.#process?.stdin.write(`${JSON.stringify(command)}\n`);
    const line = await within(patienceMs, this.#lines?.next()).catch(async (error: unknown) => {
      await this.#kill();
      throw error;
    });
    if (!line || line.done === true) {
      this.#process = undefined;
      throw new DriverError(`The driver has ended at the command "${command.do}".`);
    }
    return outcomeOf(line.value);
  }

  #start(): void {
    if (this.#process) return;
    // A group of its own, so that what the shell starts ends with it.
    this.#process = spawn(this.#command, { shell: true, detached: true, stdio: 'pipe' });
    this.#process.stderr.pipe(process.stderr, { end: false });
    this.#process.stdin.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async #kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined || hasEnded(child)) return;
    const closed = once(child, 'close');
    process.kill(-child.pid, 'SIGKILL');
    await closed;
  }

  async stop(): Promise<void> {
    if (!this.#process || hasEnded(this.#process)) return;
    const closed = once(this.#process, 'close');
    this.#process.stdin.end();
    await within(5_000, closed).catch(async () => await this.#kill());
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean =>
  exitCode !== null || signalCode !== null;

/** A URL that takes each command by POST. */
class HookDriver implements Driver {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async send(command: Command, patienceMs: number): Promise<Outcome> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(command) };
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const response = await fetch(this.#url, { ...request, signal });
      return outcomeOf(await response.text());
    } catch (error) {
      if (signal.aborted) throw new Hangs(command.do);
      if (error instanceof DriverError) throw error;
      throw new DriverError(`${this.#url} did not answer the command "${command.do}".`, { cause: error });
    }
  }

  async stop(): Promise<void> {
    await Promise.resolve();
  }
}

async function within<T>(patienceMs: number, promise: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Hangs()), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
