import type { Surroundings } from './confirmations.ts';
import type { EnrolRequest } from '../types.ts';
import { pageDevice, type PageDevice } from './devices.ts';
import { newId } from './ids.ts';
import { Kept } from './kept.ts';

type EnrolmentRecord = { owner: string; enrolmentId: string };

type EnrolmentState = { status: 'waiting' | 'completed' | 'expired'; device?: PageDevice };

/** Codes live 10 minutes. */
const keptSeconds = 1200;
const intervalMs = 1000;

/** The enrolments that pages started. */
export class Enrolments {
  readonly #around: Surroundings;
  readonly #started: Kept<EnrolmentRecord>;
  readonly #states: Kept<{ state: EnrolmentState; nextPollAt: number }>;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#started = new Kept(around.store, 'enrolment');
    this.#states = new Kept(around.store, 'enrolment-state');
  }

  async start(owner: string, request: EnrolRequest) {
    const { service, now } = this.#around;
    const { enrolmentId, qr, expiresAt } = await service.enrol(request);
    const id = newId();
    await this.#started.put(id, { owner, enrolmentId }, keptSeconds);
    return {
      id,
      link: qr,
      expiresAt,
      expiresInMs: Math.max(0, Date.parse(expiresAt) - now()),
      ...(request.accountLabel !== undefined && { account: request.accountLabel }),
    };
  }

  async find(id: string, owner: string): Promise<string | undefined> {
    const started = await this.#started.get(id);
    return started?.owner === owner ? started.enrolmentId : undefined;
  }

  async look(id: string, enrolmentId: string): Promise<EnrolmentState> {
    const { service, now } = this.#around;
    const known = await this.#states.get(id);
    if (known && (known.state.status !== 'waiting' || now() < known.nextPollAt)) return known.state;
    const nextPollAt = now() + intervalMs;
    // Before the service is asked, so that nobody else asks meanwhile.
    await this.#states.put(id, { state: { status: 'waiting' }, nextPollAt }, keptSeconds);
    const found = await service.enrolment(enrolmentId);
    const state: EnrolmentState = {
      status: found.status,
      ...('device' in found && { device: pageDevice(found.device) }),
    };
    await this.#states.put(id, { state, nextPollAt }, keptSeconds);
    return state;
  }
}
