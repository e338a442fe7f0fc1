import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createRoutes, Denied, memoryStore } from '#website';
import { testOmi } from '#testing';

const session = { id: 'session', userId: 'anna' };
const routes = createRoutes(testOmi(), {
  session: () => session,
  message: () => 'Pay?',
  store: memoryStore(),
});

/** What the website answers to a form without a confirmation. */
async function answerTo(headers: Record<string, string>): Promise<Response> {
  const request = new Request('https://shop.test/pay', {
    method: 'POST',
    body: new URLSearchParams({ amount: '16.00' }),
    headers,
  });
  const refusal = await routes.consume(request, session).catch((error: unknown) => error);
  if (!(refusal instanceof Denied)) throw new Error('Expected Denied');
  expect(refusal.code).toBe('confirmation-missing');
  return refusal.response();
}

const sent = { 'sec-fetch-mode': 'navigate' };

describe('a form that a browser sent without a script', () => {
  test('gets a page that says that nothing was done, and leads back to the form', async () => {
    const answer = await answerTo({ ...sent, referer: 'https://shop.test/cart?item=1&two="2"' });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toContain('<h1>Nothing was done yet</h1>');
    expect(page).toContain('<a href="/cart?item=1&amp;two=%222%22">Back to the form</a>');
  });

  test('gets a page that runs nothing but the way back, and that nobody can frame', async () => {
    const answer = await answerTo(sent);
    const page = await answer.text();
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(page) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<style|<form|\son\w+=/);
  });

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Zurück zum Formular'],
    ['pt-BR, FR-ca;q=0.7', 'fr', 'Retour au formulaire'],
    ['es', 'es', 'Volver al formulario'],
    ['nl-BE', 'nl', 'Terug naar het formulier'],
    ['en-GB,de;q=0.5', 'en', 'Back to the form'],
    ['pt-FR, constructor, *', 'en', 'Back to the form'],
    ['', 'en', 'Back to the form'],
  ])('is in the language of the visitor: "%s" is %s', async (wanted, language, back) => {
    const answer = await answerTo({ ...sent, 'accept-language': wanted });
    const page = await answer.text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`>${back}</a>`);
    expect(answer.headers.get('vary')).toBe('sec-fetch-mode, accept-language');
  });

  test('stays on the website, whatever path it came from', async () => {
    const page = await (await answerTo({ ...sent, referer: 'https://shop.test//evil.example/x' })).text();
    expect(page).toContain('<a href="/evil.example/x">Back to the form</a>');
  });

  test.each(['https://attacker.example/cart', 'javascript:alert(1)', 'not a URL', ''])(
    'is not led to where another website says it came from: %s',
    async (referer) => {
      const page = await (await answerTo({ ...sent, referer })).text();
      expect(page).toContain('<a href="/">Back to the form</a>');
    },
  );
});

test('a call of a script without a confirmation gets a problem document', async () => {
  const answer = await answerTo({ 'sec-fetch-mode': 'cors' });
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ status: 403, code: 'confirmation-missing' });
});
