/**
 * A phone that is written without the classes of `@omi/device`, with a passkey, and with one fault if it is told so. Each
 * fault is a deviation in one place. It is a driver of the conformance suite in this process.
 */
import { randomUUID, sign } from 'node:crypto';
import { scan as scanLink, commonClaims, devicePaths, enrolmentMessage, type DeviceIdentity } from '#device';
import {
  Hangs,
  type Command,
  type Driver,
  type Outcome,
  type Result,
} from '../../../../packages/device/conformance/driver.ts';
import { messageHashOf, thumbprintOf } from '../../../../client/digests.ts';
import { signCompact } from '../../../../client/device/jws.ts';
import { newKeyPair, type KeyPair } from '../../../../client/device/simulated-device.ts';
import { SoftwareAuthenticator } from '../../../../client/device/software-authenticator.ts';
import type { Fault } from './faults.ts';
import { PhoneError } from './phone-error.ts';
import { Transport, type Answer, type Request } from './transport.ts';

type Members = Record<string, unknown>;
type Challenge = Record<'challengeId' | 'message' | 'messageHash' | 'context' | 'contextHash', string> & {
  details?: string;
  detailsHash?: string;
  returnTo?: string;
};
type Enrolled = { identity: DeviceIdentity; keys: KeyPair; passkey: SoftwareAuthenticator | undefined };
type Signed = { typ: string; claims: Members };
type Link = { baseUrl: string; code: string };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export class Phone implements Driver {
  readonly #fault: Fault | undefined;
  readonly #devices = new Map<string, Enrolled>();
  readonly #shown = new Map<string, Challenge>();
  readonly #unanswered = new Map<string, string>();
  readonly #sharedKeys = newKeyPair();
  readonly #sharedId = randomUUID();
  readonly #transport: Transport;
  #leadMs = 0;
  #addressSentAt = 0;

  constructor(fault?: Fault) {
    this.#fault = fault;
    this.#transport = new Transport((one) => this.#has(one));
  }

  #has(fault: Fault): boolean {
    return this.#fault === fault;
  }

  async send({ do: name, ...given }: Command, patienceMs: number): Promise<Outcome> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>(
      (_, reject) => (timer = setTimeout(() => reject(new Hangs()), patienceMs)),
    );
    try {
      return { result: await Promise.race([this.#obey(name, given), late]) };
    } catch (error) {
      if (!(error instanceof PhoneError)) throw error;
      return { error: { code: error.code } };
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    await Promise.resolve();
  }

  async #obey(name: string, given: Members): Promise<Result> {
    const device = String(given['device']);
    switch (name) {
      case 'hello':
        this.#transport.patienceMs = Number(given['patienceMs']);
        return {
          name: 'a phone',
          can: ['number', 'details', 'push-token', 'passkey'],
          patienceMs: given['patienceMs'],
        };
      case 'preview':
        return this.#has('previews nothing') ? {} : await this.#preview(this.#scan(String(given['link'])));
      case 'enrol':
        return await this.#enrol(device, this.#scan(String(given['link'])));
      case 'challenges':
        return await this.#challenges(this.#known(device));
      case 'answer':
        return await this.#answer(this.#known(device), given);
      case 'refresh':
        return await this.#refresh(this.#known(device), given['pushToken']);
      case 'unregister':
        return await this.#unregister(device, this.#known(device));
      case 'lose':
        return this.#lose(device);
      default:
        throw new PhoneError('unknown-command');
    }
  }

  #known(device: string): Enrolled {
    const enrolled = this.#devices.get(device);
    if (!enrolled) throw new PhoneError('unknown-device');
    return enrolled;
  }

  #scan(link: string): Link {
    if (this.#has('accepts any version of a link')) return scanned(link.replace('v=2', 'v=1'));
    if (this.#has('takes the last of two codes')) return scanned(link.replace(/&code=[^&]*(?=&code)/, ''));
    const api = new URLSearchParams(link.replace(/.*#/, '')).get('api') ?? '';
    // What a link with an own host leads to, for a phone that takes its text as it is.
    const { origin } = URL.canParse(api) ? new URL(api) : { origin: '' };
    if (this.#has('accepts any base URL') && origin.startsWith('http') && origin !== api)
      return { baseUrl: origin, code: 'code' };
    return scanned(link);
  }

  async #preview({ baseUrl, code }: Link): Promise<Result> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ code });
    const answer = await this.#transport.deliver({
      method: 'POST',
      url: baseUrl + devicePaths.preview,
      headers,
      body,
    });
    return members(bodyOf(answer));
  }

  async #enrol(device: string, { baseUrl, code }: Link): Promise<Result> {
    const preview = await this.#preview({ baseUrl, code }).catch((): Result => ({}));
    const authenticator = new SoftwareAuthenticator({ rpId: 'localhost', origin: 'http://localhost' });
    const wanted = preview['userVerification'] === 'required';
    const passkey = wanted
      ? authenticator.create(this.#has('makes a passkey for no code') ? 'code' : code)
      : undefined;
    const { typ, claims } = enrolmentMessage(code, {
      name: 'Phone',
      platform: 'fcm',
      pushToken: `token-of-${device}`,
    });
    const message = { typ, claims: { ...claims, ...(passkey && { passkey }) } };
    let keys = this.#has('has one key for all') ? this.#sharedKeys : newKeyPair();
    const request = (): Request => {
      if (this.#has('makes a key for each attempt')) keys = newKeyPair();
      const identity = { baseUrl } as DeviceIdentity;
      return posted(
        `${baseUrl}${devicePaths.enrolments}`,
        this.#sign(message, { identity, keys, passkey: undefined }, keys),
        this.#type,
      );
    };
    const answer = await this.#call(request, this.#has('makes a key for each attempt'));
    if (answer.status !== 201 && !this.#has('enrols after refusals')) throw refusalOf(answer);
    const body = this.#has('enrols after refusals') ? ((answer.body ?? {}) as Members) : members(answer.body);
    const { deviceId, tenantId, userId, tenant } = body;
    const isComplete = [deviceId, tenantId, userId, tenant].every(isText);
    if (!isComplete && !this.#has('enrols without ids') && !this.#has('enrols after refusals'))
      throw new PhoneError('unexpected-answer');
    const identity = { baseUrl, deviceId, tenantId, userId } as DeviceIdentity;
    this.#devices.set(device, { identity, keys, passkey: wanted ? authenticator : undefined });
    return { ...identity };
  }

  async #challenges(enrolled: Enrolled): Promise<Result> {
    const { baseUrl } = enrolled.identity;
    const answer = await this.#call(() => this.#request(enrolled, 'GET', devicePaths.challenges));
    if (codeOf(answer) === 'invalid-signature' && this.#has('hides that it is unknown'))
      return { challenges: [] };
    if (this.#has('takes any answer') && answer.status === 200 && !isList(answer.body))
      return { challenges: [] };
    const { challenges } = members(bodyOf(answer));
    if (!Array.isArray(challenges) || baseUrl === '') throw new PhoneError('unexpected-answer');
    const shown = challenges.map((one) => members(one) as unknown as Challenge).map((one) => this.#show(one));
    return { challenges: shown };
  }

  #show(challenge: Challenge): Result {
    const { challengeId, details, context } = challenge;
    if (!/^[\w-]+$/.test(challengeId) && !this.#has('puts ids into paths'))
      throw new PhoneError('unexpected-answer');
    const message = this.#has('trims the message') ? challenge.message.trim() : challenge.message;
    const messageHash = message === challenge.message ? challenge.messageHash : messageHashOf(message);
    this.#shown.set(challengeId, { ...challenge, message, messageHash });
    const read = this.#has('ignores the context') ? {} : members(parsed(context));
    const isSafe = challenge.returnTo?.startsWith('https://') === true || this.#has('offers any way back');
    return { challengeId, message, details, context: read, ...(isSafe && { returnTo: challenge.returnTo }) };
  }

  async #answer(enrolled: Enrolled, given: Members): Promise<Result> {
    const challenge = this.#shown.get(String(given['challengeId']));
    if (!challenge) throw new PhoneError('challenge-not-found');
    this.#compare(challenge);
    const path = this.#has('puts ids into paths')
      ? `/omi/device/challenges/${challenge.challengeId}/response`
      : devicePaths.response(challenge.challengeId);
    const url = `${enrolled.identity.baseUrl}${path}`;
    const claims = this.#answerClaims(enrolled, challenge, given);
    const intent = JSON.stringify([
      challenge.challengeId,
      given['decision'],
      given['reason'],
      given['number'],
    ]);
    const sign = (): string => this.#sign({ typ: 'omi-response+jws', claims }, enrolled);
    let jws = this.#unanswered.get(intent) ?? sign();
    this.#unanswered.set(intent, jws);
    const renewed = (): Request => posted(url, (jws = this.#leadMs === 0 ? jws : sign()), this.#type);
    const again = (): Request => posted(url, sign(), this.#type);
    const isNew = this.#has('repeats answers by new messages');
    const answer = isNew ? await this.#call(again, true) : await this.#call(renewed);
    this.#unanswered.delete(intent);
    if (this.#has('answers twice') && answer.status === 200) await this.#transport.deliver(again());
    if (this.#has('takes refusals for decisions')) return { status: 'confirmed' };
    const { status } = members(bodyOf(answer));
    return { status: this.#has('invents the status') ? 'answered' : status };
  }

  /** Signs only what was shown. */
  #compare({ message, messageHash, context, contextHash, details, detailsHash }: Challenge): void {
    const isMessage = messageHashOf(message) === messageHash || this.#has('trusts the hash of the message');
    const isContext = messageHashOf(context) === contextHash || this.#has('trusts the hash of the context');
    const hash = details === undefined ? undefined : messageHashOf(details);
    const isDetails = hash === detailsHash || this.#has('trusts the hash of the details');
    if (!isMessage || !isContext || !isDetails) throw new PhoneError('message-mismatch');
  }

  #answerClaims({ passkey }: Enrolled, challenge: Challenge, given: Members): Members {
    const { challengeId, messageHash, contextHash, detailsHash } = challenge;
    const { decision: decided, reason, number } = given;
    const decision = this.#has('confirms what was denied') ? 'confirm' : decided;
    const isReport = reason === 'not_me' && !this.#has('denies what was reported');
    const mode = members(parsed(this.#has('ignores the context') ? '{}' : challenge.context))[
      'userVerification'
    ];
    const verifies =
      passkey && decision === 'confirm' && (mode === 'required' || this.#has('asserts always'));
    const hashed = this.#has('signs details that are not there')
      ? (detailsHash ?? messageHashOf(''))
      : detailsHash;
    const bound = this.#has('asserts without the context') ? { ...challenge, contextHash: '' } : challenge;
    return {
      challengeId,
      messageHash,
      decision,
      ...(!this.#has('signs no context') && { contextHash }),
      ...(hashed !== undefined && !this.#has('signs no details') && { detailsHash: hashed }),
      ...(decision === 'deny' && isReport && { reason }),
      ...(number !== undefined && {
        number: this.#has('sends numbers as numbers') ? Number(number) : number,
      }),
      ...(verifies && { userVerification: passkey.assert(bound, 'confirm') }),
    };
  }

  async #refresh(enrolled: Enrolled, pushToken: unknown): Promise<Result> {
    const claims = this.#has('sends no push token') ? {} : { pushToken };
    for (let attempt = 1; ; attempt += 1) {
      // Of two in one second, the service takes the later one.
      if (attempt === 1 || !this.#has('signs the same push token again'))
        this.#addressSentAt = Math.max(this.#addressSentAt + 1000, Date.now());
      const iat = this.#issuedAt(this.#addressSentAt);
      const jws = this.#sign({ typ: 'omi-push-token+jws', claims: { ...claims, iat } }, enrolled);
      const request = {
        ...posted(`${enrolled.identity.baseUrl}${devicePaths.pushToken}`, jws, this.#type),
        method: 'PUT',
      };
      const answer = await this.#transport.deliver(request);
      if (codeOf(answer) !== 'stale-request' || attempt === 5) return bodyOf(answer) as Result;
    }
  }

  async #unregister(device: string, enrolled: Enrolled): Promise<Result> {
    if (this.#has('deletes keys before removals')) this.#devices.delete(device);
    const jti = randomUUID();
    const { passkey, identity } = enrolled;
    const verifies = passkey && !this.#has('removes itself without a passkey');
    const more = {
      jti,
      ...(verifies && { userVerification: passkey.assertRemoval(identity.deviceId, jti) }),
    };
    bodyOf(await this.#call(() => this.#request(enrolled, 'DELETE', devicePaths.device, more)));
    if (!this.#has('keeps removed keys')) this.#devices.delete(device);
    return {};
  }

  #lose(device: string): Result {
    if (this.#has('replaces lost keys'))
      this.#devices.set(device, { ...this.#known(device), keys: newKeyPair() });
    else this.#devices.delete(device);
    return {};
  }

  /** Signs again by the service's time, and a request that the service has answered before. */
  async #call(make: () => Request, renews = false): Promise<Answer> {
    const turns = this.#has('signs again for ever') ? 20 : 2;
    let request = make();
    for (let turn = 1; ; turn += 1) {
      const answer = await this.#transport.deliver(request, renews ? make : undefined);
      const code = codeOf(answer);
      const isStale = code === 'stale-request';
      if (turn === turns || (code !== 'clock-skew' && !isStale)) return answer;
      const { serverTime } = answer.body as { serverTime?: string };
      if (serverTime !== undefined && !this.#has("ignores the service's time"))
        this.#leadMs = Date.parse(serverTime) - Date.now();
      request = isStale && this.#has('signs the same request again') ? request : make();
    }
  }

  #request(enrolled: Enrolled, method: 'GET' | 'DELETE', path: string, more: Members = {}): Request {
    const url = `${enrolled.identity.baseUrl}${path}`;
    const claims = { htm: method, ...(!this.#has('binds no URL') && { htu: url }), ...more };
    const jws = this.#sign({ typ: 'omi-request+jws', claims }, enrolled);
    return { method, url, headers: { authorization: `OMI-Device ${jws}` } };
  }

  #issuedAt(now: number): number {
    const at = now + this.#leadMs - (this.#has('signs old times') ? 200_000 : 0);
    return this.#has('signs milliseconds') ? at : Math.floor(at / 1000);
  }

  get #type(): string {
    return this.#has('sends messages as text') ? 'text/plain' : 'application/jose';
  }

  /** @param enrolling the new key, where the service does not know it yet */
  #sign({ typ, claims }: Signed, { identity, keys }: Enrolled, enrolling?: KeyPair): string {
    const jwk = keys.publicKey.export({ format: 'jwk' });
    const secret = this.#has('sends its private key') ? keys.privateKey.export({ format: 'jwk' }) : jwk;
    const names = enrolling ? undefined : identity;
    const common = commonClaims(identity.baseUrl, thumbprintOf(jwk), 0, names);
    const jws = signCompact({
      header: { typ, ...(enrolling ? { jwk: secret } : { kid: identity.deviceId }) },
      claims: {
        ...common,
        ...(this.#has('uses a jti twice') && { jti: this.#sharedId }),
        iat: this.#issuedAt(Date.now()),
        ...(this.#has('names no key') && { jkt: undefined }),
        ...(this.#has('names another audience') && { aud: `${identity.baseUrl}/` }),
        ...(this.#has('names another user') && names && { sub: 'bob@shop' }),
        ...claims,
      },
      key: keys.privateKey,
    });
    if (this.#has('pads base64')) return `${jws}==`;
    return this.#has('signs in DER') ? inDer(jws, keys) : jws;
  }
}

const posted = (url: string, body: string, type: string): Request => ({
  method: 'POST',
  url,
  headers: { 'content-type': type },
  body,
});

function inDer(jws: string, { privateKey }: KeyPair): string {
  const input = jws.slice(0, jws.lastIndexOf('.'));
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}

function scanned(link: string): Link {
  try {
    return scanLink(link);
  } catch {
    throw new PhoneError('invalid-link');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function members(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new PhoneError('unexpected-answer');
}

const isList = (body: unknown): boolean =>
  Array.isArray((body as Members | null | undefined)?.['challenges']) &&
  ((body as Members)['challenges'] as unknown[]).every((one) => typeof one === 'object');

const codeOf = ({ body }: Answer): unknown => (body as Members | null | undefined)?.['code'];

function refusalOf(answer: Answer): PhoneError {
  const code = codeOf(answer);
  return new PhoneError(typeof code === 'string' ? code : 'unexpected-answer');
}

/** @throws {PhoneError} for every answer that is not a success */
function bodyOf(answer: Answer): unknown {
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer);
  return answer.body ?? {};
}
