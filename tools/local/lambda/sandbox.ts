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
  /** Gets the Lambda's standard output and error. */
  log: Writable;
};

/** A worker thread with a loaded Lambda: an execution environment in AWS's terms, but for several calls at once. */
export class Sandbox {
  readonly #worker: Worker;
  readonly #calls = new Map<string, (outcome: Outcome) => void>();
  readonly #ready: Promise<void>;
  readonly #ended: Promise<LambdaError>;
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
      this.#worker.on('message', (reply: Reply) => this.#receive(reply, resolve)),
    );
    this.#ended = endOf(this.#worker);
    void this.#ended.then((error) => this.#failAll(error));
  }

  /** Resolves when the handler can be called, or with the error if loading failed. */
  async loaded(): Promise<LambdaError | undefined> {
    return await Promise.race([this.#ready.then(() => undefined), this.#ended]);
  }

  /** Resolves with the reason when the thread has ended. */
  get ended(): Promise<LambdaError> {
    return this.#ended;
  }

  async call(request: Request): Promise<Outcome> {
    return await new Promise((resolve) => {
      this.#calls.set(request.requestId, resolve);
      this.#worker.postMessage(request);
    });
  }

  /** Ignores the outcome of this call. */
  abandon(requestId: string): void {
    this.#settle(requestId);
  }

  /** Ends the thread when its current calls are done. */
  retire(): void {
    this.#isRetired = true;
    if (this.#calls.size === 0) void this.#worker.terminate();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(reply: Reply, ready: () => void): void {
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

/** Twenty-six threads load similar code. Node.js caches compiled code in the folder that this variable names. */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

async function endOf(worker: Worker): Promise<LambdaError> {
  return await new Promise((resolve) => {
    // An uncaught error is emitted before `exit`.
    worker.once('error', (error) => resolve(lambdaErrorOf(error)));
    worker.once('exit', (code) =>
      resolve({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit code ${code}` }),
    );
  });
}
