import { randomUUID } from 'node:crypto';
import { traceHeader } from './lineage.ts';
import type { LambdaError, Request } from './messages.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

/** What a caller of a Lambda gets: the value that the handler returned, or how the function failed. */
export type Invocation = { payload: unknown } | { error: LambdaError };

export type LambdaFunctionOptions = SandboxOptions & { timeoutMs?: number };

/** As the cloud's stack sets it. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Quota "invocation payload (request and response)", synchronous: 6 MB each. */
const LARGEST_PAYLOAD = 6 * 1024 * 1024;

/** A Lambda of the local stack: loaded at its first call, kept warm, replaced when it crashed or timed out. */
export class LambdaFunction {
  readonly #options: LambdaFunctionOptions;
  #sandbox: Sandbox | undefined;
  #isClosed = false;

  constructor(options: LambdaFunctionOptions) {
    this.#options = options;
  }

  /** @param trace the X-Ray header of the chain that the call belongs to */
  async invoke(event: unknown, trace = traceHeader()): Promise<Invocation> {
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > LARGEST_PAYLOAD) return { error: requestTooLarge };
    const sandbox = this.#warmSandbox();
    const failed = await sandbox.loaded();
    return failed ? { error: failed } : await this.#call(sandbox, text, trace);
  }

  /** Loads the Lambda before its first call. A Lambda that cannot be loaded tells so at its first call. */
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
    void sandbox.over.then(() => this.#forget(sandbox));
    return sandbox;
  }

  #forget(sandbox: Sandbox): void {
    if (this.#sandbox === sandbox) this.#sandbox = undefined;
  }

  async #call(sandbox: Sandbox, event: string, trace: string): Promise<Invocation> {
    const timeout = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const request: Request = { requestId: randomUUID(), event, trace, deadline: Date.now() + timeout };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), timeout)));
    const outcome = await Promise.race([sandbox.call(request), late]);
    clearTimeout(timer);
    if (outcome === 'late') return { error: this.#giveUp(sandbox, request, timeout) };
    if ('error' in outcome) return { error: outcome.error };
    const { payload } = outcome;
    return Buffer.byteLength(payload) > LARGEST_PAYLOAD
      ? { error: responseTooLarge }
      : { payload: JSON.parse(payload) };
  }

  /** AWS ends the whole environment of a call that took too long; here others may still be under way in it. */
  #giveUp(sandbox: Sandbox, { requestId }: Request, timeout: number): LambdaError {
    this.#forget(sandbox);
    sandbox.retire();
    sandbox.abandon(requestId);
    const seconds = (timeout / 1_000).toFixed(2);
    return {
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`,
    };
  }
}

const requestTooLarge: LambdaError = {
  errorType: 'RequestEntityTooLargeException',
  errorMessage: `Request must be smaller than ${LARGEST_PAYLOAD} bytes for the InvokeFunction operation`,
};

const responseTooLarge: LambdaError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${LARGEST_PAYLOAD} bytes).`,
};
