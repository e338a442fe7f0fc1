import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from '@jest/globals';

type Answer = { status: number; body: Record<string, unknown> };

/** A browser that shows a page of the website. */
export class Page {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  async call(method: string, path: string, fields?: object, headers: object = {}): Promise<Answer> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        'omi-page': '1',
        ...(method !== 'GET' && { origin: this.#url }),
        ...headers,
      },
      ...(fields && { body: new URLSearchParams({ ...fields }) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] };
  }

  /** As a browser sends a form by itself: `fetch` cannot say that it navigates. @returns the status and the type of the answer */
  async sendWithoutScript(path: string, fields: Record<string, string>): Promise<unknown[]> {
    const headers = {
      cookie: this.#cookie,
      origin: this.#url,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-mode': 'navigate',
    };
    const sent = request(`${this.#url}${path}`, { method: 'POST', headers });
    sent.end(new URLSearchParams(fields).toString());
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return [answer.statusCode, answer.headers['content-type']?.split(';')[0]];
  }

  async read(path: string): Promise<string> {
    const response = await fetch(`${this.#url}${path}`, { headers: { cookie: this.#cookie } });
    expect(response.status).toBe(200);
    return await response.text();
  }

  /** Sends a form. @returns where the answer leads */
  async submit(path: string, body: FormData): Promise<string> {
    const headers = { cookie: this.#cookie, origin: this.#url };
    const response = await fetch(`${this.#url}${path}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    return response.headers.get('location') ?? '';
  }

  async signIn(userId: string): Promise<void> {
    const response = await fetch(`${this.#url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ userId }),
    });
    expect(response.status).toBe(204);
    [this.#cookie] = (response.headers.get('set-cookie') ?? '').split(';', 1) as [string];
  }
}
