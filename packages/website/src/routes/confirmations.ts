import { EvidenceError } from '../../../evidence/src/evidence-error.ts';
import { sleep } from '../../../http/src/abort.ts';
import { newNonce } from '../nonce.ts';
import { OmiError } from '../omi-error.ts';
import type { Confirmation, ConfirmationCallback, FinalConfirmation } from '../types.ts';
import { newId } from './ids.ts';
import type { RoutesOptions } from './options.ts';
import type { Question } from './question.ts';
import { type AskedRecord, recordsIn, type Result, type Schedule } from './records.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import type { Store } from './store.ts';
import { Waiting } from '../waiting.ts';

export type State = Result | ({ status: 'pending' } & Schedule);

export type Surroundings = {
  service: Service;
  store: Store;
  knownKeys?: RoutesOptions['knownKeys'];
  now: () => number;
  onError: (error: unknown) => void;
};

/** How long the service keeps a question open if the website names no lifetime. */
const defaultLifetimeSeconds = 120;
/** How long a confirmation is kept after its end, at least. It can be used for 2 minutes. */
const keptSeconds = 600;
/** With callbacks, the service is asked only if none has come for this time. */
const callbackPatienceMs = 30_000;
/** How often a page's call that waits looks into the store, where other servers of the website put what they learn, and may not announce it. */
const storeLookMs = 1_000;

/** The confirmations that pages ask for: what was asked, and how it ended. */
export class Confirmations {
  readonly #records: ReturnType<typeof recordsIn>;
  readonly #around: Surroundings;
  /** The ids that this server asks the service about at this moment. */
  readonly #polling = new Set<string>();
  readonly #waiting = new Waiting();
  #waiters = 0;
  #nobodyWaits = new AbortController();

  constructor(around: Surroundings) {
    this.#around = around;
    this.#records = recordsIn(around.store);
  }

  /** @param page aborts when the page that asks is gone: it never learns the id, so nobody else could withdraw the question */
  async send(
    asked: { owner: string; userId: string; deviceId?: string | undefined; question: Question },
    page: AbortSignal,
  ) {
    const { service, now } = this.#around;
    const { userId, deviceId, question } = asked;
    const id = newId();
    const ttlSeconds = (question.expiresIn ?? defaultLifetimeSeconds) + keptSeconds;
    const record = { ...asked, nonce: newNonce(), askedAt: now(), ttlSeconds };
    // First, so that no question is sent that the website does not know.
    await this.#records.asked.put(id, record, ttlSeconds);
    const confirmation = await service.send({ ...question, userId, deviceId, nonce: record.nonce });
    try {
      // Nobody reads this answer.
      if (page.aborted) throw new Refused(404, 'confirmation-not-found', 'There is no such confirmation.');
      return { id, confirmation, ...(await this.#expect(id, record, confirmation)) };
    } catch (error) {
      await service.withdraw(record.nonce).catch(this.#around.onError);
      throw error;
    }
  }

  async #expect(id: string, { ttlSeconds }: AskedRecord, confirmation: Confirmation): Promise<Schedule> {
    const { challengeId } = confirmation;
    if (this.#around.service.hasCallbacks) await this.#records.challenges.put(challengeId, id, ttlSeconds);
    return await this.#plan(id, ttlSeconds, confirmation.interval, this.#endOf(confirmation));
  }

  /** Times of the service are only compared with each other: its clock may differ. */
  #endOf({ createdAt, expiresAt }: Confirmation): number {
    return this.#around.now() + between(createdAt, expiresAt);
  }

  async #plan(id: string, ttlSeconds: number, interval: number, endsAt: number): Promise<Schedule> {
    const { service, now } = this.#around;
    const pause = service.hasCallbacks ? Math.min(callbackPatienceMs, endsAt - now()) : 0;
    const nextPollAt = now() + Math.max(pause, interval * 1000);
    await this.#records.schedules.put(id, { endsAt, interval, nextPollAt }, ttlSeconds);
    return { endsAt, interval, nextPollAt };
  }

  async find(id: string, owner: string): Promise<AskedRecord | undefined> {
    const asked = await this.#records.asked.get(id);
    return asked?.owner === owner ? asked : undefined;
  }

  /** True for exactly one caller. Then nobody finds the confirmation any more. */
  async take(id: string): Promise<boolean> {
    return (await this.#records.asked.take(id)) !== undefined;
  }

  /** How it stands: from the store, or from the service when it is time to ask. */
  async look(id: string, asked: AskedRecord): Promise<State> {
    const [result, schedule] = await Promise.all([
      this.#records.results.get(id),
      this.#records.schedules.get(id),
    ]);
    if (result) return result;
    if (schedule && (this.#polling.has(id) || this.#around.now() < schedule.nextPollAt))
      return { status: 'pending', ...schedule };
    this.#polling.add(id);
    try {
      return await this.#poll(id, asked, schedule);
    } finally {
      this.#polling.delete(id);
    }
  }

  /**
   * As {@link look}, but waits for the end. A callback to this server wakes it at once, and one to another server of the website by the
   * store's announcement. What is not announced is found in the store within a second.
   *
   * @param longestMs how long it waits at most
   */
  async wait(id: string, asked: AskedRecord, longestMs: number): Promise<State> {
    const end = performance.now() + longestMs;
    this.#listen();
    try {
      return await this.#waitUntil(end, id, asked);
    } finally {
      this.#waiters -= 1;
      if (this.#waiters === 0) this.#nobodyWaits.abort();
    }
  }

  async #waitUntil(end: number, id: string, asked: AskedRecord): Promise<State> {
    for (;;) {
      const looked = this.look(id, asked);
      // Listens from the beginning of the look, so that no callback comes between the two.
      const changed = this.#waiting.until(id, async (wake) => {
        const state = await looked;
        const leftMs = Math.min(end - performance.now(), storeLookMs);
        if (state.status === 'pending' && leftMs > 0) await sleep(leftMs, wake);
      });
      const [state] = await Promise.all([looked, changed]);
      if (state.status !== 'pending' || performance.now() >= end) return state;
    }
  }

  async #poll(id: string, asked: AskedRecord, known: Schedule | undefined): Promise<State> {
    const { ttlSeconds } = asked;
    // Before the service is asked, so that the website's other servers do not ask as well.
    if (known) await this.#plan(id, ttlSeconds, known.interval, known.endsAt);
    // The page repeats its own call, and need not wait for ours.
    const confirmation = await this.#around.service
      .poll(asked.nonce, { repeat: false })
      .catch(async (error: unknown) => {
        if (known && error instanceof OmiError && error.retryAfter !== undefined)
          await this.#plan(id, ttlSeconds, error.retryAfter, known.endsAt);
        throw error;
      });
    if (isFinal(confirmation)) return await this.end(id, asked, confirmation);
    const endsAt = known?.endsAt ?? this.#endOf(confirmation);
    return { status: 'pending', ...(await this.#plan(id, ttlSeconds, confirmation.interval, endsAt)) };
  }

  async end(id: string, asked: AskedRecord, confirmation: FinalConfirmation): Promise<Result> {
    const result = await this.#judge(asked, confirmation);
    await this.#records.results.put(id, result, asked.ttlSeconds);
    await this.#tell(id);
    return result;
  }

  /** While calls wait. So a server that starts or ends has no connection that nobody asked for. */
  #listen(): void {
    const { store, onError } = this.#around;
    this.#waiters += 1;
    if (this.#waiters > 1) return;
    this.#nobodyWaits = new AbortController();
    store.announcements?.listen((id) => this.#waiting.wake(id), this.#nobodyWaits.signal).catch(onError);
  }

  async #tell(id: string): Promise<void> {
    const { store, onError } = this.#around;
    this.#waiting.wake(id);
    await store.announcements?.announce(id).catch(onError);
  }

  /** Only what the device signed makes it `confirmed`. */
  async #judge(asked: AskedRecord, confirmation: FinalConfirmation): Promise<Result> {
    const { status, reason, createdAt, decidedAt = '' } = confirmation;
    if (status !== 'confirmed') return { status, reason };
    const { nonce, userId, deviceId, question, askedAt } = asked;
    const { purpose = null, requestedFrom = null } = question;
    const knownKeys = await this.#around.knownKeys?.(userId);
    try {
      await this.#around.service.verifyEvidence(confirmation, {
        ...question,
        ...{ nonce, userId, deviceId, purpose, requestedFrom, knownKeys },
      });
    } catch (error) {
      if (!(error instanceof EvidenceError)) throw error;
      this.#around.onError(error);
      return { status: 'failed', reason: 'evidence_invalid', code: error.code };
    }
    return { status, confirmation, decidedAt: askedAt + between(createdAt, decidedAt) };
  }

  async withdraw(id: string, { nonce, ttlSeconds }: AskedRecord): Promise<void> {
    const { status = 'pending' } = (await this.#records.results.get(id)) ?? {};
    if (status === 'cancelled') return;
    if (status !== 'pending') throw new Refused(409, 'already-decided', 'The confirmation has ended.');
    await this.#around.service.withdraw(nonce);
    await this.#records.results.put(id, { status: 'cancelled', reason: 'withdrawn' }, ttlSeconds);
    await this.#tell(id);
  }

  /** The result that the service reports by itself. Confirmations of others, and results that are known, are no fault. */
  async report(challengeId: string, reported: ConfirmationCallback['data']): Promise<void> {
    const id = await this.#records.challenges.get(challengeId);
    const asked = id && (await this.#records.asked.get(id));
    if (!asked || (await this.#records.results.get(id))) return;
    await this.end(id, asked, { ...reported, nonce: asked.nonce });
  }
}

const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

const isFinal = (confirmation: Confirmation): confirmation is FinalConfirmation =>
  confirmation.status !== 'pending';
