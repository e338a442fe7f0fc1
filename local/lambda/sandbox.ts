import type { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import {
  lambdaErrorOf,
  type LambdaError,
  type Outcome,
  type Reply,
  type Request,
  type WorkerData,
} from './messages.ts';

export type SandboxOptions = {
  name: string;
  /** URL of the bundle. */
  bundle: string;
  environment: Record<string, string>;
  /** Takes what the Lambda writes to its standard output and error. */
  log: Writable;
};

/** One worker thread with a loaded Lambda: what AWS calls an execution environment. Takes several calls at once. */
export class Sandbox {
  readonly #worker: Worker;
  readonly #calls = new Map<string, (outcome: Outcome) => void>();
  readonly #ready: Promise<void>;
  readonly #over: Promise<LambdaError>;
  #isRetired = false;

  constructor({ name, bundle, environment, log }: SandboxOptions) {
    const workerData: WorkerData = { bundle };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      name,
      workerData,
      env: { ...environment, ...compileCache() },
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    for (const output of [this.#worker.stdout, this.#worker.stderr])
      output.on('data', (chunk: Buffer) => log.write(chunk));
    this.#ready = new Promise((resolve) =>
      this.#worker.on('message', (reply: Reply) => this.#hear(reply, resolve)),
    );
    this.#over = endOf(this.#worker);
    void this.#over.then((error) => this.#failAll(error));
  }

  /** Resolves when the handler can be called, or with the reason why that will never be. */
  async loaded(): Promise<LambdaError | undefined> {
    return await Promise.race([this.#ready.then(() => undefined), this.#over]);
  }

  /** Resolves with the reason when the thread has ended, by itself or at the end of its retirement. */
  get over(): Promise<LambdaError> {
    return this.#over;
  }

  async call(request: Request): Promise<Outcome> {
    return await new Promise((resolve) => {
      this.#calls.set(request.requestId, resolve);
      this.#worker.postMessage(request);
    });
  }

  /** Nobody waits for this call's outcome any more. */
  abandon(requestId: string): void {
    this.#settle(requestId);
  }

  /** Ends the thread as soon as the calls that are under way have their outcomes. */
  retire(): void {
    this.#isRetired = true;
    if (this.#calls.size === 0) void this.#worker.terminate();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #hear(reply: Reply, ready: () => void): void {
    if (reply.kind === 'ready') {
      ready();
      return;
    }
    this.#calls.get(reply.requestId)?.(reply);
    this.#settle(reply.requestId);
  }

  #settle(requestId: string): void {
    this.#calls.delete(requestId);
    if (this.#isRetired) this.retire();
  }

  #failAll(error: LambdaError): void {
    for (const answer of this.#calls.values()) answer({ error });
    this.#calls.clear();
  }
}

/** Twenty-six threads load much the same; Node.js keeps what it compiled where this variable says. */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

async function endOf(worker: Worker): Promise<LambdaError> {
  return await new Promise((resolve) => {
    // Before `exit`, when an error that nobody caught is what ends the thread.
    worker.once('error', (error) => resolve(lambdaErrorOf(error)));
    worker.once('exit', (code) =>
      resolve({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit code ${code}` }),
    );
  });
}
