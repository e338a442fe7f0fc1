import { DeviceError } from './device-error.ts';
import { type DeviceKey, thumbprintOf } from './device-key.ts';
import { type DeviceRequest, send } from './request.ts';
import { commonClaims, type DeviceIdentity, type Message } from './messages.ts';
import { withRetries } from '../../http/src/retries.ts';
import { base64url, utf8 } from './bytes.ts';

/** Two numbers of 32 bytes (RFC 7518, section 3.4). */
const signatureBytes = 64;

/** Makes a compact JWS (RFC 7515) with ES256. */
async function signCompact(
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
  key: DeviceKey,
): Promise<string> {
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
  const signature = await key.sign(utf8(input));
  if (signature.length !== signatureBytes) throw new DeviceError('invalid-key');
  return `${input}.${base64url(signature)}`;
}

const encode = (part: Record<string, unknown>): string => base64url(utf8(JSON.stringify(part)));

/** What calls need besides the identity. */
export type Connection = {
  key: DeviceKey;
  /** Where calls go; the base URL if absent. Signed messages name the base URL in any case. */
  endpoint?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** How long one answer may take, in milliseconds; 35,000 if absent. */
  patienceMs?: number | undefined;
  /** The device's clock, in milliseconds since 1970. */
  now?: (() => number) | undefined;
};

export type Call<T> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  message: Message;
  read: (body: unknown) => T;
  /** The code that a repetition gets if the call before it did arrive. */
  done?: string;
  /** A JWS that is sent in place of a new one. */
  jws?: string | undefined;
  /** Learns each JWS before it is sent. */
  onSigned?: (jws: string) => void;
  /** Chooses `iat`, in milliseconds, from the service's time. */
  issuedAt?: (now: number) => number;
};

/** Signs and sends calls, and keeps what the service says about its clock. */
export class Caller {
  readonly #baseUrl: string;
  readonly #connection: Connection;
  /** How far the service's clock is ahead, in milliseconds. */
  #lead = 0;

  constructor(baseUrl: string, connection: Connection) {
    this.#baseUrl = baseUrl;
    this.#connection = connection;
  }

  /** The service's time, as far as it is known. */
  get #now(): number {
    return (this.#connection.now ?? Date.now)() + this.#lead;
  }

  /**
   * Makes a call. The same JWS is sent again if its answer was lost. A message that was signed by a wrong clock is signed
   * once more, by the service's.
   *
   * @throws {DeviceError}
   */
  async call<T>(call: Call<T>, identity?: DeviceIdentity): Promise<T> {
    try {
      return await this.#send(call, call.jws ?? (await this.#sign(call, identity)));
    } catch (error) {
      if (!(error instanceof DeviceError) || error.code !== 'clock-skew' || error.serverTime === undefined)
        throw error;
      this.#lead += Date.parse(error.serverTime) - this.#now;
      return await this.#send(call, await this.#sign(call, identity));
    }
  }

  async #sign<T>({ message, onSigned, issuedAt }: Call<T>, identity?: DeviceIdentity): Promise<string> {
    const { key } = this.#connection;
    const { typ, claims } = message;
    const own = identity ? { kid: identity.deviceId } : { jwk: key.publicKey };
    const jkt = await thumbprintOf(key.publicKey);
    const common = commonClaims(this.#baseUrl, jkt, issuedAt?.(this.#now) ?? this.#now, identity);
    const jws = await signCompact({ typ, ...own }, { ...common, ...claims }, key);
    onSigned?.(jws);
    return jws;
  }

  async #send<T>(call: Call<T>, jws: string): Promise<T> {
    const { endpoint = this.#baseUrl, fetch = globalThis.fetch, patienceMs } = this.#connection;
    const { method, path, read, done } = call;
    const request = { method, url: `${endpoint}${path}`, patienceMs, ...placed(call, jws) };
    const body = await withRetries(async () => await send(fetch, request), { done });
    return read(body);
  }
}

/** In the body, or in the header of a call without one. */
function placed({ method }: Pick<Call<unknown>, 'method'>, jws: string): Partial<DeviceRequest> {
  if (method === 'GET' || method === 'DELETE') return { headers: { authorization: `OMI-Device ${jws}` } };
  return { headers: { 'content-type': 'application/jose' }, body: jws };
}
