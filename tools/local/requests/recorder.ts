import type { CallLog, RecordedCall } from '../aws/endpoint/call-log.ts';
import type { Exchange } from './exchange.ts';
import { type Shown, shownOf } from './shown.ts';

/** Older calls are gone. */
const mostExchanges = 300;

type Kept = { id: number; exchange: Exchange };

/** Keeps the latest calls of the API. What is shown of them is made when somebody looks: a call costs no more than its place. */
export class RequestRecorder {
  readonly #kept: Kept[] = [];
  readonly #watchers = new Set<() => void>();
  #calls: CallLog | undefined;
  #lastId = 0;

  /** The calls to AWS, once there is one. */
  open(calls: CallLog): void {
    this.#calls = calls;
  }

  readonly add = (exchange: Exchange): void => {
    this.#lastId += 1;
    this.#kept.push({ id: this.#lastId, exchange });
    if (this.#kept.length > mostExchanges) this.#kept.shift();
    for (const tell of this.#watchers) tell();
  };

  /** Those after an id, oldest first. */
  after(id: number): Shown[] {
    const wanted = this.#kept.filter((one) => one.id > id);
    const calls = this.#callsOf(new Set(wanted.map(({ exchange }) => exchange.trace)));
    return wanted.map((one) => shownOf(one.id, one.exchange, calls.get(one.exchange.trace) ?? []));
  }

  /** @returns how to stop */
  watch(onCall: () => void): () => void {
    this.#watchers.add(onCall);
    return () => void this.#watchers.delete(onCall);
  }

  #callsOf(traces: ReadonlySet<string>): Map<string, RecordedCall[]> {
    const wanted = traces.size === 0 ? [] : (this.#calls?.list() ?? []);
    return Map.groupBy(
      wanted.filter(({ trace = '' }) => traces.has(trace)),
      ({ trace = '' }) => trace,
    );
  }
}
