import { expect } from '@jest/globals';
import type { Consumed, Routes, Session } from '#website';

const websiteOrigin = 'https://bank.example';

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

/** A page of the website in somebody's browser. */
export class Visitor {
  readonly session: Session;
  readonly #routes: Routes;

  constructor(routes: Routes, session: Session) {
    this.#routes = routes;
    this.session = session;
  }

  request(method: string, path: string, fields?: object, headers: Record<string, string> = {}): Request {
    const isJson = fields !== undefined && !(fields instanceof FormData);
    return new Request(`${websiteOrigin}${path}`, {
      method,
      headers: {
        cookie: `${this.session.id}/${this.session.userId}`,
        'omi-page': '1',
        'sec-fetch-site': 'same-origin',
        ...(method !== 'GET' && { origin: websiteOrigin }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(fields && { body: isJson ? JSON.stringify(fields) : fields }),
    });
  }

  async send(request: Request): Promise<Answer> {
    const response = await this.#routes(request);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  }

  async call(...request: Parameters<Visitor['request']>): Promise<Answer> {
    return await this.send(this.request(...request));
  }

  async ask(fields: object = { amount: '20' }): Promise<Answer> {
    return await this.call('POST', '/omi/confirmations', fields);
  }

  /** Asks, and expects that the user is asked. */
  async asked(fields?: object): Promise<string> {
    const { status, body } = await this.ask(fields);
    expect(body).not.toHaveProperty('code');
    expect(status).toBe(201);
    return String(body['id']);
  }

  /** @param waitSeconds how long the answer may wait for the end */
  async look(id: string, waitSeconds?: number): Promise<Answer> {
    const query = waitSeconds === undefined ? '' : `?wait=${waitSeconds}`;
    return await this.call('GET', `/omi/confirmations/${id}${query}`);
  }

  async withdraw(id: string): Promise<Answer> {
    return await this.call('DELETE', `/omi/confirmations/${id}`);
  }

  /** The action, with its confirmation as a member of its body. */
  async act(id: string, fields: object = { amount: '20' }): Promise<Consumed> {
    const request = this.request('POST', '/pay', { ...fields, 'omi-confirmation': id });
    return await this.#routes.consume(request, this.session);
  }
}
