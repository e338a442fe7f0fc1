/** Asks users to confirm on their device: what a website's server needs, with nothing but fetch. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

export type Settings = { baseUrl: string; tokenUrl: string; clientId: string; clientSecret: string };

export type Confirmation = {
  nonce: string;
  tenantId: string;
  userId: string;
  deviceId: string;
  status: 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
  reason?: string;
  decidedAt?: string;
  /** Seconds until the next poll. */
  interval: number;
  /** For your page, where number matching is on: the user repeats it on the device. */
  matchCode?: string;
  /** What the device showed besides the message: a JSON text. */
  context: string;
  /** The device's signed answer, the key that verifies it, and the service's receipt of the enrolment. */
  evidence?: string;
  deviceKey?: { kty: string; crv: string; x: string; y: string };
  receipt?: string;
  /** Whether the device verified its user, and the key that proves it. */
  userVerified: boolean;
  passkeyKey?: { kty: string; crv: string; x: string; y: string };
};

export type Question = {
  userId: string;
  deviceId?: string;
  message: string;
  nonce: string;
  /** What the user agrees to, for programs (RFC 9396): objects with `type`. */
  details?: readonly object[];
};

/** Every key that the service ever signed with: what for, and when (RFC 3339). */
export type OmiKeys = {
  keys: {
    kty: string;
    crv: string;
    x: string;
    y: string;
    kid: string;
    for: string;
    from: string;
    until?: string;
  }[];
};

/** A new one for each question; keep it with the user's session before you ask. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/** The service understood the call and does not carry it out: decide by `code`. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: string) {
    super(`${response.status} ${body}`);
    this.status = response.status;
    this.code = /"code":"([^"]+)"/.exec(body)?.[1];
    const retryAfter = response.headers.get('retry-after');
    this.retryAfter = retryAfter === null ? undefined : Number(retryAfter);
  }
}

export class StepUp {
  readonly #settings: Settings;
  #token: { value: string; renewAt: number } | undefined;
  #keys: { value: OmiKeys; renewAt: number } | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Safe to repeat with the same question: the user is asked once. */
  async ask({ userId, deviceId, message, nonce, details }: Question): Promise<Confirmation> {
    const user = `/omi/push/user/${encodeURIComponent(userId)}`;
    const path = deviceId === undefined ? user : `${user}/device/${encodeURIComponent(deviceId)}`;
    return (await this.#call('POST', path, {
      message,
      nonce,
      authorizationDetails: details,
    })) as Confirmation;
  }

  async poll(nonce: string): Promise<Confirmation> {
    return (await this.#call('GET', `/omi/push/confirmation?nonce=${nonce}`)) as Confirmation;
  }

  /** False if it was decided before: poll once more. */
  async withdraw(nonce: string): Promise<boolean> {
    try {
      await this.#call('DELETE', `/omi/push/confirmation?nonce=${nonce}`);
      return true;
    } catch (error) {
      if (error instanceof Refused && error.code === 'already-decided') return false;
      throw error;
    }
  }

  /** They may be kept for 5 minutes, and need no token. */
  async keys(): Promise<OmiKeys> {
    if (this.#keys && this.#keys.renewAt > Date.now()) return this.#keys.value;
    const response = await fetch(`${this.#settings.baseUrl}/.well-known/omi-keys`);
    if (!response.ok) throw new Error(`The keys were answered with ${response.status}`);
    this.#keys = { value: (await response.json()) as OmiKeys, renewAt: Date.now() + 5 * 60_000 };
    return this.#keys.value;
  }

  /** All calls but the one that makes a QR code may be repeated, so those that got no answer are. */
  async #call(method: string, path: string, body?: object, attempt = 1): Promise<unknown> {
    const response = await this.#send(method, path, body).catch(() => undefined);
    if (response && response.status < 500) {
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      throw new Refused(response, text);
    }
    if (attempt === 4) throw new Error(`${method} got no answer`);
    await setTimeout(200 * 2 ** attempt);
    return await this.#call(method, path, body, attempt + 1);
  }

  async #send(method: string, path: string, body: object | undefined): Promise<Response> {
    return await fetch(`${this.#settings.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.#accessToken()}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(35_000),
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** OAuth 2 client credentials (RFC 6749, 4.4). One token serves until it ends. */
  async #accessToken(): Promise<string> {
    if (this.#token && this.#token.renewAt > Date.now()) return this.#token.value;
    const { tokenUrl, clientId, clientSecret } = this.#settings;
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw new Error(`The token URL answered ${response.status}`);
    const { access_token, expires_in } = (await response.json()) as {
      access_token: string;
      expires_in: number;
    };
    this.#token = { value: access_token, renewAt: Date.now() + (expires_in - 60) * 1000 };
    return access_token;
  }
}
