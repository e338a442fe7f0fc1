import { randomUUID } from 'node:crypto';
import { traceHeader } from './lineage.ts';
import type { LambdaError, Request } from './messages.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

/** The result of a call: the value that the handler returned, or the error. */
export type Invocation = { payload: unknown } | { error: LambdaError };

export type LambdaFunctionOptions = SandboxOptions & { timeoutMs?: number };

/** The same as in the cloud. */
const defaultTimeoutMs = 10_000;

/** Lambda's quota for the payload of a synchronous call. */
const largestPayloadBytes = 6 * 1024 * 1024;

/** A Lambda of the local stack: loaded at its first call, kept warm, and replaced after a crash or timeout. */
export class LambdaFunction {
  readonly #options: LambdaFunctionOptions;
  #sandbox: Sandbox | undefined;
  #isClosed = false;

  constructor(options: LambdaFunctionOptions) {
    this.#options = options;
  }

  /** @param trace the X-Ray header of the chain of calls */
  async invoke(event: unknown, trace = traceHeader()): Promise<Invocation> {
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > largestPayloadBytes) return { error: requestTooLarge };
    const sandbox = this.#warmSandbox();
    const failed = await sandbox.loaded();
    return failed ? { error: failed } : await this.#call(sandbox, text, trace);
  }

  /** Loads the Lambda before its first call. If that fails, the first call returns the error. */
  async warm(): Promise<void> {
    if (!this.#isClosed) await this.#warmSandbox().loaded();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sandbox?.close();
  }

  #warmSandbox(): Sandbox {
    if (this.#sandbox) return this.#sandbox;
    const sandbox = new Sandbox(this.#options);
    this.#sandbox = sandbox;
    void sandbox.ended.then(() => this.#forget(sandbox));
    return sandbox;
  }

  #forget(sandbox: Sandbox): void {
    if (this.#sandbox === sandbox) this.#sandbox = undefined;
  }

  async #call(sandbox: Sandbox, event: string, trace: string): Promise<Invocation> {
    const timeoutMs = this.#options.timeoutMs ?? defaultTimeoutMs;
    const request: Request = { requestId: randomUUID(), event, trace, deadline: Date.now() + timeoutMs };
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<'timeout'>(
      (resolve) => (timer = setTimeout(() => resolve('timeout'), timeoutMs)),
    );
    const outcome = await Promise.race([sandbox.call(request), timedOut]);
    clearTimeout(timer);
    if (outcome === 'timeout') return { error: this.#timeOut(sandbox, request, timeoutMs) };
    if ('error' in outcome) return { error: outcome.error };
    const { payload } = outcome;
    return Buffer.byteLength(payload) > largestPayloadBytes
      ? { error: responseTooLarge }
      : { payload: JSON.parse(payload) };
  }

  /** AWS ends the environment of a call that times out. Here other calls in it may finish first. */
  #timeOut(sandbox: Sandbox, { requestId }: Request, timeoutMs: number): LambdaError {
    this.#forget(sandbox);
    sandbox.retire();
    sandbox.abandon(requestId);
    const seconds = (timeoutMs / 1_000).toFixed(2);
    return {
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
    };
  }
}

const requestTooLarge: LambdaError = {
  errorType: 'RequestEntityTooLargeException',
  errorMessage: `Request must be smaller than ${largestPayloadBytes} bytes for the InvokeFunction operation`,
};

const responseTooLarge: LambdaError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${largestPayloadBytes} bytes).`,
};
