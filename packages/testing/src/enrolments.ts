import type { EnrolmentStatus, StartedEnrolment } from '@omi/website';
import { lastStep } from './intent.ts';
import { Problem } from './problem.ts';
import { digestOf } from './signing-key.ts';
import type { Site } from './site.ts';
import type { User } from './users.ts';

const lifetimeMs = 10 * 60_000;

type Started = { user: User; expiresAt: number; status?: EnrolmentStatus };

/** Codes that users scan as soon as the website looks, but for those who ignore them. */
export class Enrolments {
  readonly #started = new Map<string, Started>();
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  start(user: User): StartedEnrolment {
    const enrolmentId = digestOf(`enrolment ${this.#started.size}`);
    const expiresAt = this.#site.clock.now() + lifetimeMs;
    this.#started.set(enrolmentId, { user, expiresAt });
    const qr = `${this.#site.baseUrl}/enrol#${enrolmentId}`;
    return { enrolmentId, qr, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** @throws {Problem} `enrolment-not-found` */
  look(enrolmentId: string | null): EnrolmentStatus {
    const started = this.#started.get(enrolmentId ?? '');
    if (!started) throw new Problem(404, 'enrolment-not-found', 'There is no such enrolment.');
    const { user, expiresAt, status } = started;
    if (status) return status;
    if (expiresAt <= this.#site.clock.now()) return (started.status = { status: 'expired' });
    if (lastStep(user.intent).step === 'ignores') return { status: 'waiting' };
    return (started.status = { status: 'completed', device: user.enrol().view() });
  }
}
