import type { Confirmation, Group, SendRequest } from '@omi/website';
import { lastStep, type Step } from './intent.ts';
import type { Phone } from './phone.ts';
import { digestOf } from './signing-key.ts';
import type { Site } from './site.ts';
import type { User } from './users.ts';

/** What the website asked, with the device that it came to. */
export type AskedQuestion = SendRequest & { nonce: string; deviceId: string };

/** The group whose vote a question is. */
export type VoteOf = { id: string; required: number; of: number };

type End = Pick<Confirmation, 'status' | 'reason' | 'decidedAt' | 'evidence'>;

const defaultLifetimeSeconds = 120;

/** One question to one device, and how it ends. */
export class Question {
  readonly asked: AskedQuestion;
  /** The request as it came, to know it again. */
  readonly text: string;
  readonly expiresAt: number;
  readonly phone: Phone;
  readonly #createdAt: number;
  readonly #site: Site;
  readonly #user: User;
  readonly #context: string;
  readonly #group: VoteOf | undefined;
  #end: End | undefined;

  constructor(
    site: Site,
    user: User,
    { phone, asked, text, group }: { phone: Phone; asked: AskedQuestion; text: string; group?: VoteOf },
  ) {
    this.#group = group;
    this.#site = site;
    this.#user = user;
    this.phone = phone;
    this.asked = asked;
    this.text = text;
    this.#createdAt = site.clock.now();
    this.expiresAt = this.#createdAt + (asked.expiresIn ?? defaultLifetimeSeconds) * 1000;
    const { purpose, requestedFrom, subjectDeviceId } = asked;
    const subject = user.phones.find(({ deviceId }) => deviceId === subjectDeviceId)?.view();
    this.#context = JSON.stringify({
      requester: { tenant: 'Test', client: 'Test' },
      purpose,
      device: subject && { deviceId: subject.deviceId, name: subject.name },
      userVerification: 'off',
      requestedFrom,
      group,
    });
  }

  /** As it is, without a look at what the user has done since. */
  get ended(): Confirmation['status'] | undefined {
    return this.#end?.status;
  }

  get isPending(): boolean {
    return this.#end === undefined;
  }

  get endedAt(): number | undefined {
    const at = this.#end?.decidedAt;
    return at === undefined ? undefined : Date.parse(at);
  }

  get isOpen(): boolean {
    this.settle();
    return this.#end === undefined;
  }

  get status(): Confirmation['status'] {
    this.settle();
    return this.#end?.status ?? 'pending';
  }

  /** When the user answers by the intent, in milliseconds since 1970. */
  get answersAt(): number {
    const { step, afterMs } = lastStep(this.#user.intent);
    return step === 'ignores' ? Infinity : Math.max(this.#createdAt, this.#user.intendedAt) + afterMs;
  }

  /** Brings it to what the user has done by now. */
  settle(): void {
    if (this.#end) return;
    const now = this.#site.clock.now();
    const { step } = lastStep(this.#user.intent);
    const at = this.answersAt;
    if (!this.#user.phones.includes(this.phone)) this.#cancel('device_removed', now);
    else if (step !== 'ignores' && at <= now && at < this.expiresAt) this.#answer(step, at);
    else if (this.expiresAt <= now) this.#end = { status: 'expired' };
  }

  withdraw(): void {
    this.#cancel('withdrawn', this.#site.clock.now());
  }

  /** Others decided its group. */
  decideWithout(at: number): void {
    this.#cancel('group_decided', at);
  }

  #cancel(reason: 'device_removed' | 'withdrawn' | 'group_decided', at: number): void {
    this.#end = { status: 'cancelled', reason, decidedAt: new Date(at).toISOString() };
  }

  #answer(step: Exclude<Step, 'ignores'>, at: number): void {
    const decidedAt = new Date(at).toISOString();
    if (step === 'has-no-device') {
      this.#user.phones = [];
      this.#cancel('device_removed', at);
    } else if (step === 'denies' || step === 'reports') {
      const reason = step === 'denies' ? 'user_declined' : 'not_me';
      this.#end = { status: 'denied', reason, decidedAt, evidence: this.#evidence(at, 'deny', reason) };
      if (step === 'reports') this.#user.report(at);
    } else this.#end = { status: 'confirmed', decidedAt, evidence: this.#evidence(at, 'confirm') };
  }

  #digests() {
    const { nonce, userId, message, details } = this.asked;
    const group = this.#group;
    return {
      challengeId: digestOf(group ? `${group.id}\n${userId}` : `${this.#site.tenantId}\n${nonce}`),
      messageHash: digestOf(message),
      ...(details && { detailsHash: digestOf(JSON.stringify(details)) }),
      contextHash: digestOf(this.#context),
    };
  }

  #evidence(at: number, decision: 'confirm' | 'deny', reason?: string): string {
    const { deviceId, key } = this.phone;
    const { baseUrl, tenantId } = this.#site;
    return key.sign(
      { typ: 'omi-response+jws', kid: deviceId },
      {
        ...{ iss: deviceId, sub: this.asked.userId, tid: tenantId, aud: baseUrl },
        ...{
          iat: Math.floor(at / 1000),
          jti: digestOf(`${this.#digests().challengeId} answer`),
          jkt: key.thumbprint,
        },
        ...this.#digests(),
        ...{ decision, reason },
      },
    );
  }

  /** As the website reads it. */
  view(): Confirmation {
    this.settle();
    return this.#view(this.#end ?? { status: 'pending' });
  }

  /** The answer to the question itself comes before the user's. */
  firstView(): Confirmation {
    return this.#view({ status: 'pending' });
  }

  /** As the vote of a group, which has no nonce. */
  voteView(): Group['votes'][number] {
    const { nonce: _nonce, ...vote } = this.#view(this.#end ?? { status: 'pending' });
    return { ...vote, deviceIds: [this.phone.deviceId] };
  }

  #view(end: End): Confirmation {
    const { nonce, userId } = this.asked;
    const { deviceId, key, receipt } = this.phone;
    return {
      ...{ nonce, userId, deviceId, tenantId: this.#site.tenantId },
      ...this.#digests(),
      context: this.#context,
      ...end,
      delivery: 'sent',
      createdAt: new Date(this.#createdAt).toISOString(),
      expiresAt: new Date(this.expiresAt).toISOString(),
      interval: 1,
      userVerified: false,
      ...(end.evidence !== undefined && { deviceKey: key.publicKey, receipt }),
    };
  }
}
