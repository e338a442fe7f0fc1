/** The examples with sessions of others, in process. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { testOmi } from '#testing';

type Example = { bank: (omi: ReturnType<typeof testOmi>) => RequestListener };

/** Of a program of its own for the type checker: Auth.js brings the types of browsers. */
const load = async (name: string): Promise<Example> =>
  (await import(`../../docs/examples/website-session/${name}.ts`)) as Example;

const { bank: passportBank } = await load('passport');
const { bank: authJsBank } = await load('auth-js');

const closing: (() => unknown)[] = [];
afterAll(() => closing.forEach((close) => close()));

/** What a browser does: it keeps cookies, and sends forms. */
class Browser {
  readonly origin: string;
  readonly #cookies = new Map<string, string>();

  private constructor(origin: string) {
    this.origin = origin;
  }

  static async at(app: RequestListener): Promise<Browser> {
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return new Browser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async call(method: string, path: string, fields?: Record<string, string>): Promise<Response> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'omi-page': '1',
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

const signIns: Record<string, (browser: Browser, userId: string) => Promise<unknown>> = {
  'express-session and Passport': async (browser, userId) =>
    await browser.call('POST', '/sign-in', { userId }),
  'Auth.js': async (browser, userId) => {
    const { csrfToken } = (await (await browser.call('GET', '/auth/csrf')).json()) as { csrfToken: string };
    return await browser.call('POST', '/auth/callback/credentials', { csrfToken, userId });
  },
};

describe.each([
  ['express-session and Passport', passportBank],
  ['Auth.js', authJsBank],
] as const)('%s', (name, bank) => {
  const signIn = signIns[name] ?? (() => Promise.reject(new Error(name)));
  const payment = { amount: '20', to: 'Zoë' };

  test('the routes and the action know the user by the request of Express', async () => {
    const omi = testOmi({ users: { alice: 'confirms' } });
    const browser = await Browser.at(bank(omi));
    expect((await browser.call('GET', '/omi/devices')).status).toBe(401);
    await signIn(browser, 'alice');

    const asked = await browser.call('POST', '/omi/confirmations', payment);
    expect(asked.status).toBe(201);
    const { id } = (await asked.json()) as { id: string };
    omi.advance(2_000);
    const looked = await browser.call('GET', `/omi/confirmations/${id}`);
    expect(await looked.json()).toMatchObject({ status: 'confirmed' });
    const paid = await browser.call('POST', '/pay', { ...payment, 'omi-confirmation': id });
    expect(await paid.json()).toEqual({ done: 'Pay 20 € to Zoë?' });
    expect(omi.asked.at(-1)).toMatchObject({ userId: 'alice' });
  });
});
