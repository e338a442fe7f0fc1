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

  async signIn(userId: string): Promise<void> {
    const response = await fetch(`${this.#url}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ userId }),
    });
    expect(response.status).toBe(204);
    [this.#cookie] = (response.headers.get('set-cookie') ?? '').split(';', 1) as [string];
  }
}
