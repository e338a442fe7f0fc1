import { describe, expect, test } from '@jest/globals';
import { isToken, readToken } from '../../../pages/exports/src/api/access-token.ts';
import { tokenProblemText } from '../../../pages/exports/src/text/labels.ts';

const now = Date.parse('2026-11-22T09:30:00Z');

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const tokenWith = (claims: object): string =>
  `${part({ alg: 'ES256' })}.${part({ exp: now / 1000 + 60, name: 'Zoë ☕ ÿÿÿ>>>???', ...claims })}.c2ln`;

const read = 'omi:exports:get';
const write = 'omi:exports:post';

describe('a pasted token', () => {
  test('can read and change with the scopes of the page', () => {
    const text = tokenWith({ scope: `${read} ${write}` });
    expect(readToken(text, now)).toEqual({ text, canAct: true, expiresAt: now + 60_000 });
  });

  test('can only read with the scope to read', () => {
    expect(readToken(tokenWith({ scope: read }), now)).toMatchObject({ canAct: false });
  });

  test("has a prefix before each scope if it is of the stage's user pool", () => {
    expect(readToken(tokenWith({ scope: `omi/${read} omi/${write}` }), now)).toMatchObject({ canAct: true });
  });

  test('may have spaces and the scheme from copying', () => {
    const text = tokenWith({ scope: read });
    for (const pasted of [`  ${text}\n`, `Bearer ${text}`, `bearer  ${text}`])
      expect(readToken(pasted, now)).toMatchObject({ text });
  });

  test.each([
    'omi:events:post',
    'credential:omi:recovery',
    'openid',
    'omi:exports:delete',
    'omi/omi/omi:exports:get',
  ])('is refused with the further scope %s, with an explanation', (scope) => {
    const refused = readToken(tokenWith({ scope: `${read} ${scope} ${write}` }), now);
    expect(refused).toEqual({ tooMuch: [scope.replace(/^omi\//, '')] });
    if (!isToken(refused)) expect(tokenProblemText(refused)).toContain('more than this page needs');
  });

  test.each([
    ['nothing', '', 'empty'],
    ['only white space', ' \n', 'empty'],
    ['a word', 'hello', 'not-a-token'],
    ['a token that was cut', tokenWith({ scope: read }).replace(/\.[^.]*$/, '.'), 'not-a-token'],
    ['a token with another part', `${tokenWith({ scope: read })}.x`, 'not-a-token'],
    ['claims that are not JSON', 'a.b.c', 'not-a-token'],
    ['claims that are null', `a.${part(null)}.c`, 'not-a-token'],
    ['a token without an end', tokenWith({ scope: read, exp: 'never' }), 'not-a-token'],
    ['an expired token', tokenWith({ scope: read, exp: now / 1000 }), 'expired'],
  ])('is refused: %s', (_, pasted, problem) => {
    expect(readToken(pasted, now)).toBe(problem);
  });

  test.each([[undefined], [''], [write], [[read]]])('is refused without the scope to read: %j', (scope) => {
    expect(readToken(tokenWith({ scope }), now)).toEqual({ missing: read });
  });
});
