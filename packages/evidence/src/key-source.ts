import { isObject } from './jws.ts';
import type { KeyLookup, OmiKey } from './types.ts';

/** As long as the service lets others keep it. */
const freshMs = 5 * 60_000;
/** As long as a known key counts if nothing newer can be had: keys are replaced, and hardly ever withdrawn. */
const usableMs = 24 * 60 * 60_000;
/** Between two loads for a `kid` that is not known, which anyone can make up, and after a load that failed. */
const pauseMs = 30_000;

const isKey = (value: unknown): value is OmiKey =>
  isObject(value) && ['kid', 'kty', 'for', 'from'].every((name) => typeof value[name] === 'string');

export const isKeyDocument = (value: unknown): value is { keys: OmiKey[] } =>
  isObject(value) && Array.isArray(value['keys']) && value['keys'].every(isKey);

type Source = { load: () => Promise<{ keys: readonly OmiKey[] }>; now: () => number };

/** The keys as they were last loaded. Calls at the same time share a load. */
class KeptKeys {
  readonly #source: Source;
  #kept: { keys: readonly OmiKey[]; at: number } | undefined;
  #flight: Promise<void> | undefined;
  /** The last load. Without the newest keys, a key that is not known may be a new one: its failure is the answer. */
  #last: Promise<void> = Promise.resolve();
  #pausedUntil = -Infinity;

  constructor(source: Source) {
    this.#source = source;
  }

  async find(kid: string): Promise<OmiKey | undefined> {
    const { key, ageMs } = this.#known(kid);
    if (key && ageMs <= freshMs) return key;
    const usable = ageMs <= usableMs ? key : undefined;
    const isPaused = this.#kept && !this.#flight && this.#source.now() < this.#pausedUntil;
    if (this.#kept && !key && !isPaused) this.#pause();
    try {
      await (isPaused ? this.#last : this.#renew());
    } catch (error) {
      if (usable) return usable;
      throw error;
    }
    return this.#known(kid).key;
  }

  #known(kid: string): { key: OmiKey | undefined; ageMs: number } {
    const key = this.#kept?.keys.find((one) => one.kid === kid && one.for === 'receipt');
    return { key, ageMs: this.#source.now() - (this.#kept?.at ?? 0) };
  }

  #pause(): void {
    this.#pausedUntil = this.#source.now() + pauseMs;
  }

  async #renew(): Promise<void> {
    this.#flight ??= this.#last = this.#load().finally(() => (this.#flight = undefined));
    await this.#flight;
  }

  async #load(): Promise<void> {
    const at = this.#source.now();
    try {
      this.#kept = { keys: (await this.#source.load()).keys, at };
    } catch (error) {
      this.#pause();
      throw error;
    }
  }
}

/**
 * Finds receipts' keys in `omi-keys`, which is loaded when it is needed and kept for 5 minutes. A `kid` that is not in it may be
 * new: then it is loaded again, once in 30 seconds. A known key counts for a day while the keys cannot be loaded.
 */
export function keySource(load: Source['load'], now: () => number = Date.now): KeyLookup {
  const kept = new KeptKeys({ load, now });
  return async (kid) => await kept.find(kid);
}
