/** A website's server, with which the suite asks on a running service. */
import { randomBytes } from 'node:crypto';
import type { Fail } from '../../../http/src/call-error.ts';
import { exchange, type HttpAnswer } from '../../../http/src/exchange.ts';
import { tokenSource, type TokenSource } from '../../../http/src/access-tokens.ts';
import { DriverError } from '../driver.ts';

export type Credentials = { tokenUrl: string; clientId: string; clientSecret: string };
export type Question = { message: string; authorizationDetails?: object[] };
export type Asked = { nonce: string; matchCode?: string };
export type Decided = { status?: string; reason?: string };

const patienceMs = 35_000;
const fail: Fail = (_, { detail }) => new DriverError(`The website could not ask. ${detail}`);
const http = { fetch: globalThis.fetch, fail };
const scopes = [
  'credential:omi:push-notification:device:post',
  'credential:omi:push-notification:status:get',
  'credential:omi:push-notification:delete',
];

export class Website {
  readonly #baseUrl: string;
  readonly #tokens: TokenSource;

  constructor(baseUrl: string, credentials: Credentials) {
    this.#baseUrl = baseUrl;
    this.#tokens = tokenSource(credentials, { ...http, now: Date.now });
  }

  async ask(userId: string, deviceId: string, question: Question): Promise<Asked> {
    const nonce = randomBytes(24).toString('base64url');
    const path = `/omi/push/user/${encodeURIComponent(userId)}/device/${encodeURIComponent(deviceId)}`;
    const { body } = await this.#call('POST', path, { ...question, nonce });
    const { matchCode } = (body ?? {}) as { matchCode?: string };
    return { nonce, ...(matchCode !== undefined && { matchCode }) };
  }

  async decided({ nonce }: Asked): Promise<Decided> {
    const { body } = await this.#call('GET', `/omi/push/confirmation?nonce=${nonce}`);
    return body ?? {};
  }

  async withdraw({ nonce }: Asked): Promise<void> {
    await this.#call('DELETE', `/omi/push/confirmation?nonce=${nonce}`);
  }

  async #call(method: string, path: string, json?: object): Promise<HttpAnswer> {
    const authorization = `Bearer ${await this.#tokens.token(...scopes)}`;
    const headers = { authorization, ...(json && { 'content-type': 'application/json' }) };
    const request = { method, url: `${this.#baseUrl}${path}`, headers, patienceMs };
    const answer = await exchange(http, { ...request, ...(json && { body: JSON.stringify(json) }) });
    if (!answer.ok)
      throw new DriverError(
        `${method} ${path.replace(/\?.*/, '')} answered ${answer.status}: ${answer.text}`,
      );
    return answer;
  }
}
