/**
 * A service that speaks the device protocol, takes nearly everything, keeps all that arrives, and lies when it is told to. Its
 * leniency keeps faults apart: a message with a wrong `aud` breaks the rule about `aud`, and nothing else.
 */
import { randomUUID, type JsonWebKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { devicePaths } from '../../src/messages.ts';
import { close, listen } from './listener.ts';
import { readMessage, sha256, thumbprintOf, type Members, type Message } from './message.ts';
import { json, problem, type Reply } from './replies.ts';

export type Call = 'preview' | 'enrol' | 'challenges' | 'answer' | 'push-token' | 'unregister' | 'other';

export type Received = {
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  call: Call;
  method: string;
  path: string;
  contentType: string | undefined;
  authorization: string | undefined;
  body: string;
  message: Message | undefined;
  /** The device that the message names, or that it enrolled. */
  device: EnrolledDevice | undefined;
  /** How far the service's clock was ahead of the device's. */
  leadMs: number;
};

export type EnrolledDevice = { deviceId: string; tenantId: string; userId: string; key: JsonWebKey };

export type Challenge = {
  challengeId: string;
  tenant: string;
  account?: string;
  message: string;
  messageHash: string;
  context: string;
  contextHash: string;
  createdAt: string;
  expiresAt: string;
  expiresInMs: number;
} & Members;

export type Mode = 'off' | 'preferred' | 'required';

export const tenant = 'Example Bank';
export const account = 'Anna · …4711';
const lifetimeMs = 120_000;
/** How old, and how far ahead, `iat` may be. */
const clock = { oldMs: 300_000, aheadMs: 60_000 };

/** @param members replace the usual ones; undefined removes one */
export function challengeWith(members: Members = {}): Challenge {
  const message = typeof members['message'] === 'string' ? members['message'] : 'Pay 12.50 € to Café Zoë?';
  const context =
    typeof members['context'] === 'string'
      ? members['context']
      : JSON.stringify({ requester: { tenant, client: 'website' }, userVerification: 'off' });
  const { details } = members;
  const now = Date.now();
  return {
    challengeId: sha256(randomUUID()),
    tenant,
    account,
    message,
    messageHash: sha256(message),
    context,
    contextHash: sha256(context),
    ...(typeof details === 'string' && { detailsHash: sha256(details) }),
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + lifetimeMs).toISOString(),
    expiresInMs: lifetimeMs,
    ...members,
  };
}

export class FakeService {
  readonly received: Received[] = [];
  /** How far its clock is ahead of this machine's. */
  leadMs = 0;
  readonly #codes = new Map<string, { mode: Mode; device?: EnrolledDevice }>();
  readonly #devices = new Map<string, EnrolledDevice>();
  readonly #removed = new Set<EnrolledDevice>();
  readonly #open = new Map<string, Challenge[]>();
  readonly #replies = new Map<Call, Reply[]>();
  readonly #always = new Map<Call, Reply>();
  #baseUrl = '';
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  async start(port?: number): Promise<void> {
    this.#baseUrl = `http://127.0.0.1:${await listen(this.#server, port)}`;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  async stop(): Promise<void> {
    await close(this.#server);
  }

  /** A new code for the same user. */
  link({ mode = 'off' }: { mode?: Mode } = {}): string {
    const code = randomUUID();
    this.#codes.set(code, { mode });
    return linkTo(this.#baseUrl, code);
  }

  ask(deviceId: string, ...challenges: Challenge[]): void {
    this.#open.set(deviceId, challenges);
  }

  /** What it answers to the next calls of this kind, in place of the usual. */
  next(call: Call, ...replies: Reply[]): void {
    this.#replies.set(call, replies);
  }

  /** What it answers to all calls of this kind. */
  always(call: Call, reply: Reply): void {
    this.#always.set(call, reply);
  }

  /** Ends all lies, and all connections. */
  behave(): void {
    this.#replies.clear();
    this.#always.clear();
    this.leadMs = 0;
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await readText(request);
    const { authorization, 'content-type': contentType } = headers;
    const message = readMessage(authorization?.replace(/^OMI-Device /, '') ?? body);
    const call = callOf(method, path);
    const { leadMs } = this;
    const device = this.#devices.get(String(message?.claims['iss']));
    const received = {
      at: Date.now(),
      call,
      method,
      path,
      contentType,
      authorization,
      body,
      message,
      device,
      leadMs,
    };
    this.received.push(received);
    (this.#replies.get(call)?.shift() ?? this.#always.get(call) ?? this.#usual(received))(response);
  }

  #usual(received: Received): Reply {
    const { call, message, body, path } = received;
    if (call === 'preview') return this.#preview(body);
    if (call === 'other') return otherReply(path);
    if (!message) return problem(401, 'invalid-signature');
    if (this.leadMs !== 0 && this.#isSkewed(message)) return this.skew();
    if (call === 'enrol') return this.#enrol(received, message);
    const { device } = received;
    if (!device || this.#removed.has(device)) return problem(401, 'invalid-signature');
    if (call === 'challenges')
      return json(200, { challenges: this.#open.get(device.deviceId) ?? [], push: 'on', later: 1 });
    if (call === 'answer') return this.#answer(message);
    if (call === 'unregister') this.#removed.add(device);
    return json(204, undefined);
  }

  /** The refusal of a message whose `iat` is far from this service's time. */
  skew(): Reply {
    return problem(401, 'clock-skew', { serverTime: new Date(Date.now() + this.leadMs).toISOString() });
  }

  #isSkewed({ claims: { iat } }: Message): boolean {
    const aheadMs = Number(iat) * 1000 - (Date.now() + this.leadMs);
    return !(aheadMs <= clock.aheadMs && -aheadMs <= clock.oldMs);
  }

  #preview(body: string): Reply {
    const { code } = JSON.parse(body) as { code?: unknown };
    const known = this.#codes.get(String(code));
    if (!known) return problem(404, 'enrolment-not-found');
    if (known.device) return problem(409, 'enrolment-code-used');
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    return json(200, { tenant, account, expiresAt, userVerification: known.mode, later: {} });
  }

  #enrol(received: Received, { header, claims }: Message): Reply {
    const known = this.#codes.get(String(claims['code']));
    if (!known) return problem(404, 'enrolment-not-found');
    const key = (header['jwk'] ?? {}) as JsonWebKey;
    if (known.device && thumbprintOf(known.device.key) !== thumbprintOf(key))
      return problem(409, 'enrolment-code-used');
    if (known.mode === 'required' && claims['passkey'] === undefined)
      return problem(422, 'user-verification-required');
    known.device ??= { deviceId: randomUUID(), tenantId: randomUUID(), userId: 'anna@shop', key };
    received.device = known.device;
    const { deviceId, tenantId, userId } = known.device;
    this.#devices.set(deviceId, known.device);
    return json(201, { deviceId, tenantId, userId, tenant, account, receipt: 'later', later: [] });
  }

  #answer({ claims: { decision, number } }: Message): Reply {
    if (number !== undefined && typeof number !== 'string') return problem(400, 'invalid-request');
    return json(200, { status: decision === 'confirm' ? 'confirmed' : 'denied', later: null });
  }
}

export const linkTo = (baseUrl: string, code: string): string =>
  `https://app.example/enrol#v=1&api=${encodeURIComponent(baseUrl)}&code=${code}`;

function callOf(method: string, path: string): Call {
  switch (`${method} ${path}`) {
    case `POST ${devicePaths.preview}`:
      return 'preview';
    case `POST ${devicePaths.enrolments}`:
      return 'enrol';
    case `GET ${devicePaths.challenges}`:
      return 'challenges';
    case `PUT ${devicePaths.pushToken}`:
      return 'push-token';
    case `DELETE ${devicePaths.device}`:
      return 'unregister';
    default:
      return method === 'POST' && path.startsWith(`${devicePaths.challenges}/`) ? 'answer' : 'other';
  }
}

function otherReply(path: string): Reply {
  if (path === devicePaths.settings) {
    const webPush = {
      applicationServerKey:
        'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
    };
    return json(200, { webPush, rpId: 'localhost', origins: ['http://localhost'] });
  }
  return path.startsWith('/omi/device/tenants/') ? json(200, { name: tenant }) : problem(404, 'not-found');
}
