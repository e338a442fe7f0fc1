import type { OmiKeys, SendRequest } from '@omi/website';
import { Enrolments } from './enrolments.ts';
import type { Intent } from './intent.ts';
import type { Phone } from './phone.ts';
import { Problem } from './problem.ts';
import { type AskedQuestion, Question } from './questions.ts';
import { readQuestion } from './read-question.ts';
import type { Site } from './site.ts';
import { User } from './users.ts';

type Call = { parts: readonly string[]; query: URLSearchParams; body: Record<string, unknown> };
type Handler = (call: Call) => Response;
export type Intents = { users: Readonly<Record<string, Intent>>; otherwise: Intent };

const noContent = (): Response => new Response(null, { status: 204 });

/** Answers the calls of `@omi/website` as the service does. */
export class TestService {
  /** What was asked, newest last. */
  readonly asked: AskedQuestion[] = [];
  readonly keys: OmiKeys;
  readonly #site: Site;
  readonly #intents: Intents;
  readonly #users = new Map<string, User>();
  readonly #questions = new Map<string, Question>();
  readonly #enrolments: Enrolments;
  readonly #table: readonly (readonly [call: RegExp, handler: Handler])[];

  constructor(site: Site, intents: Intents) {
    this.#site = site;
    this.#intents = intents;
    this.#enrolments = new Enrolments(site);
    const { publicKey, thumbprint } = site.receipts;
    const from = new Date(site.clock.now()).toISOString();
    this.keys = { keys: [{ ...publicKey, kid: thumbprint, for: 'receipt', from }] };
    this.#table = [
      [/^GET \/\.well-known\/omi-keys$/, () => Response.json(this.keys)],
      [/^POST \/omi\/push\/user\/([^/]+)(?:\/device\/([^/]+))?$/, (call) => this.#send(call)],
      [/^GET \/omi\/push\/confirmation$/, ({ query }) => Response.json(this.#find(query).view())],
      [/^DELETE \/omi\/push\/confirmation$/, ({ query }) => this.#withdraw(query)],
      [/^GET \/omi\/users\/([^/]+)\/devices$/, (call) => this.#devices(call)],
      [/^DELETE \/omi\/users\/([^/]+)\/devices\/([^/]+)$/, (call) => this.#removeDevice(call)],
      [/^PUT \/omi\/users\/([^/]+)\/label$/, noContent],
      [
        /^POST \/omi\/enrol\/qr$/,
        ({ body }) => Response.json(this.#enrolments.start(this.user(String(body['userId'])))),
      ],
      [
        /^GET \/omi\/enrol\/status$/,
        ({ query }) => Response.json(this.#enrolments.look(query.get('enrolmentId'))),
      ],
    ];
  }

  readonly fetch: typeof globalThis.fetch = async (...call) => {
    const request = new Request(...call);
    request.signal.throwIfAborted();
    const { pathname, searchParams: query } = new URL(request.url);
    const text = await request.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    try {
      for (const [path, handler] of this.#table) {
        const match = path.exec(`${request.method} ${pathname}`);
        // A group that is not there is undefined, which the type of a match does not say.
        const parts = match?.slice(1).filter(Boolean).map(decodeURIComponent);
        if (parts) return handler({ parts, query, body });
      }
      throw new Problem(404, 'not-found', 'There is no such endpoint.');
    } catch (error) {
      if (error instanceof Problem) return error.response();
      throw error;
    }
  };

  user(userId: string): User {
    const { users, otherwise } = this.#intents;
    const user =
      this.#users.get(userId) ??
      new User(this.#site, userId, Object.hasOwn(users, userId) ? (users[userId] ?? otherwise) : otherwise);
    this.#users.set(userId, user);
    return user;
  }

  /** What was due before the user changes his mind has happened. */
  settle(): void {
    for (const question of this.#questions.values()) question.settle();
  }

  /** The checks in the order of the service: device, choice of the device, nonce, limits, open confirmation. */
  #send({ parts: [userId = '', deviceId], body }: Call): Response {
    const request = { ...readQuestion(userId, body), ...(deviceId !== undefined && { deviceId }) };
    this.settle();
    const user = this.user(userId);
    const phone = choosePhone(user, request);
    const text = JSON.stringify(request);
    const known = this.#questions.get(request.nonce);
    if (known && known.text !== text)
      throw new Problem(
        409,
        'nonce-already-used',
        'This nonce was used with another request. Create a new nonce.',
      );
    if (known) return Response.json({ ...known.view(), repeated: true });
    this.#checkLimits(user, phone);
    const asked = { ...request, deviceId: phone.deviceId };
    const question = new Question(this.#site, user, phone, asked, text);
    this.#questions.set(request.nonce, question);
    this.asked.push(asked);
    return Response.json(question.firstView(), { status: 202 });
  }

  #checkLimits(user: User, phone: Phone): void {
    const now = this.#site.clock.now();
    if (user.quietUntil > now)
      throw new Problem(
        429,
        'too-many-notifications',
        'The user was asked too often. Wait before asking again.',
        {
          retryAfterMs: user.quietUntil - now,
        },
      );
    const open = this.#open(user).find((question) => question.phone === phone);
    if (open)
      throw new Problem(409, 'confirmation-pending', 'Another confirmation is open on this device.', {
        retryAfterMs: open.expiresAt - now,
      });
  }

  #open({ userId }: User): Question[] {
    return [...this.#questions.values()].filter(({ asked, isOpen }) => asked.userId === userId && isOpen);
  }

  #find(query: URLSearchParams): Question {
    const question = this.#questions.get(query.get('nonce') ?? '');
    if (question) return question;
    throw new Problem(404, 'confirmation-not-found', 'There is no confirmation with this nonce.');
  }

  #withdraw(query: URLSearchParams): Response {
    const userId = query.get('userId');
    if (userId !== null) for (const open of this.#open(this.user(userId))) open.withdraw();
    else withdraw(this.#find(query));
    return noContent();
  }

  #devices({ parts: [userId = ''] }: Call): Response {
    this.settle();
    return Response.json({
      devices: this.user(userId)
        .phones.map((phone) => phone.view())
        .reverse(),
    });
  }

  #removeDevice({ parts: [userId = '', deviceId = ''] }: Call): Response {
    this.settle();
    if (!this.user(userId).remove(deviceId)) throw noSuchDevice();
    return noContent();
  }
}

const noSuchDevice = (): Problem => new Problem(404, 'device-not-found', 'The user has no such device.');

function choosePhone({ phones }: User, { deviceId, subjectDeviceId }: SendRequest): Phone {
  const [phone, ...others] = phones.filter((one) => deviceId === undefined || one.deviceId === deviceId);
  const isKnown = subjectDeviceId === undefined || phones.some((one) => one.deviceId === subjectDeviceId);
  if (!phone || !isKnown) throw noSuchDevice();
  if (others.length === 0) return phone;
  throw new Problem(409, 'device-choice-required', 'The user has several devices: send to one of them.');
}

function withdraw(question: Question): void {
  const { status } = question;
  if (status === 'pending') question.withdraw();
  else if (status !== 'cancelled')
    throw new Problem(409, 'already-decided', `The confirmation cannot be withdrawn: it is ${status}.`);
}
