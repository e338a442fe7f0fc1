import type { OmiKeys, SendRequest } from '@omi/website';
import { Callbacks, type End } from './callbacks.ts';
import { Enrolments } from './enrolments.ts';
import { Faults } from './faults.ts';
import { type AskedGroup, groupIdOf, VotingGroup } from './groups.ts';
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

const nonceUsed = (): Problem =>
  new Problem(409, 'nonce-already-used', 'This nonce was used with another request. Create a new nonce.');

const sortedMembers = ({ members, ...asked }: AskedGroup): object => ({
  ...asked,
  members: [...members].sort(),
});

const notReachable = ({ members, required }: AskedGroup, votes: ReadonlyMap<string, Question>): Problem =>
  new Problem(
    409,
    'group-not-reachable',
    `Of the members, ${votes.size} can be asked, and ${required} must confirm.`,
    {
      errors: members.flatMap((userId, index) =>
        votes.has(userId) ? [] : [{ pointer: `/members/${index}`, detail: 'This user cannot be asked' }],
      ),
    },
  );

const noContent = (): Response => new Response(null, { status: 204 });

/** Answers the calls of `@omi/website` as the service does. */
export class TestService {
  /** What was asked, newest last. */
  readonly asked: AskedQuestion[] = [];
  readonly keys: OmiKeys;
  readonly callbacks: Callbacks;
  readonly faults = new Faults();
  readonly #site: Site;
  readonly #intents: Intents;
  readonly #users = new Map<string, User>();
  readonly #questions = new Map<string, Question>();
  readonly #groups = new Map<string, VotingGroup>();
  readonly #enrolments: Enrolments;
  readonly #table: readonly (readonly [call: RegExp, handler: Handler])[];

  constructor(site: Site, intents: Intents) {
    this.#site = site;
    this.#intents = intents;
    this.#enrolments = new Enrolments(site);
    this.callbacks = new Callbacks(site);
    const { publicKey, thumbprint } = site.receipts;
    const from = new Date(site.clock.now()).toISOString();
    this.keys = { keys: [{ ...publicKey, kid: thumbprint, for: 'receipt', from }] };
    this.#table = [
      [/^GET \/\.well-known\/omi-keys$/, () => Response.json(this.keys)],
      [/^POST \/omi\/push\/user\/([^/]+)(?:\/device\/([^/]+))?$/, (call) => this.#send(call)],
      [/^GET \/omi\/push\/confirmation$/, ({ query }) => Response.json(this.#find(query).view())],
      [/^DELETE \/omi\/push\/confirmation$/, ({ query }) => this.#withdraw(query)],
      [/^POST \/omi\/groups$/, (call) => this.#ask(call)],
      [/^GET \/omi\/groups$/, ({ query }) => this.#look(query)],
      [/^DELETE \/omi\/groups$/, ({ query }) => this.#withdrawGroup(query)],
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
    return await this.faults.answer(async () => await this.#answer(request));
  };

  async #answer(request: Request): Promise<Response> {
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
  }

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
    for (const group of this.#groups.values()) group.settle();
  }

  /** The confirmations and groups that have ended, oldest first. Votes belong to their group. */
  ends(): End[] {
    this.settle();
    const questions = [...this.#questions.values()].map((one) => ['confirmation', one.view()] as const);
    const groups = [...this.#groups.values()].map((one) => ['group', one.view()] as const);
    return [...questions, ...groups]
      .filter(([, { status }]) => status !== 'pending')
      .map(([kind, { nonce, ...data }]) => ({ kind, nonce, data }));
  }

  /** The checks in the order of the service: device, choice of the device, nonce, limits, open confirmation. */
  #send({ parts: [userId = '', deviceId], body }: Call): Response {
    const request = { ...readQuestion(userId, body), ...(deviceId !== undefined && { deviceId }) };
    this.settle();
    const user = this.user(userId);
    const phone = choosePhone(user, request);
    const text = JSON.stringify(request);
    const known = this.#questions.get(request.nonce);
    if (known && known.text !== text) throw nonceUsed();
    if (known) return Response.json({ ...known.view(), repeated: true });
    this.#checkLimits(user, phone);
    const asked = { ...request, deviceId: phone.deviceId };
    const question = new Question(this.#site, user, { phone, asked, text });
    this.#questions.set(request.nonce, question);
    this.asked.push(asked);
    return Response.json(question.firstView(), { status: 202 });
  }

  /** Who has no device, asked for quiet or has a question open cannot be asked. */
  #ask({ body }: Call): Response {
    const { userId: _userId, ...request } = readQuestion('', body);
    const asked = { ...request, members: body['members'], required: body['required'] } as AskedGroup;
    this.settle();
    const known = this.#groups.get(asked.nonce);
    if (known) return this.#repeated(known, asked);
    const group = { id: groupIdOf(this.#site, asked), required: asked.required, of: asked.members.length };
    const votes = new Map(
      asked.members.flatMap((userId) => {
        const user = this.user(userId);
        const phone = user.phones.find((one) => this.#open(user).every((open) => open.phone !== one));
        if (!phone || user.quietUntil > this.#site.clock.now()) return [];
        const vote = { ...request, userId, deviceId: phone.deviceId };
        return [[userId, new Question(this.#site, user, { phone, asked: vote, text: '', group })] as const];
      }),
    );
    if (votes.size < asked.required) throw notReachable(asked, votes);
    const made = new VotingGroup(this.#site, asked, votes);
    this.#groups.set(asked.nonce, made);
    this.asked.push(...[...votes.values()].map((vote) => vote.asked));
    return Response.json(made.view(), { status: 202 });
  }

  #repeated(known: VotingGroup, asked: AskedGroup): Response {
    if (JSON.stringify(sortedMembers(known.asked)) !== JSON.stringify(sortedMembers(asked)))
      throw nonceUsed();
    return Response.json({ ...known.view(), repeated: true }, { status: 202 });
  }

  #findGroup(query: URLSearchParams): VotingGroup {
    const group = this.#groups.get(query.get('nonce') ?? '');
    if (!group) throw new Problem(404, 'group-not-found', 'There is no group with this nonce.');
    group.settle();
    return group;
  }

  #look(query: URLSearchParams): Response {
    return Response.json(this.#findGroup(query).view());
  }

  #withdrawGroup(query: URLSearchParams): Response {
    const group = this.#findGroup(query);
    if (group.status === 'pending') group.withdraw();
    if (group.status !== 'cancelled')
      throw new Problem(409, 'already-decided', `The group cannot be withdrawn: it is ${group.status}.`);
    return noContent();
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
    const votes = [...this.#groups.values()].flatMap((group) => [...group.votes.values()]);
    return [...this.#questions.values(), ...votes].filter(
      ({ asked, isOpen }) => asked.userId === userId && isOpen,
    );
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
