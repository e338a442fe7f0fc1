import { EventEmitter, once } from 'node:events';
import { accessKeyOf, isBackground } from './caller.ts';
import type { Backend } from './http.ts';

/** For so long after its last call, a stack is in use. */
const inUseMs = 60_000;

/** Whether anybody uses the local cloud, apart from what calls it by itself. */
export class Usage {
  #lastAt = 0;
  readonly #used = new EventEmitter();

  noting(backend: Backend): Backend {
    return async (request) => {
      if (!isBackground(accessKeyOf(request))) this.#note();
      return await backend(request);
    };
  }

  /** Resolves while the cloud is in use, at its next use, or when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    if (Date.now() - this.#lastAt < inUseMs) return;
    await once(this.#used, 'call', { signal }).catch(() => undefined);
  }

  #note(): void {
    this.#lastAt = Date.now();
    this.#used.emit('call');
  }
}
