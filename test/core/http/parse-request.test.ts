import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parseRequest, type RequestSchema } from '../../../core/http/parse-request.ts';
import { devicePath, pushBody } from '../../../core/http/request-schemas.ts';

const request = v.object({ path: devicePath, body: pushBody(600) });
const path = { userId: 'alice', deviceId: 'd' };
const body = { message: 'Pay?', nonce: 'nonce-of-16-chars' };

const faults = (
  given: Parameters<typeof parseRequest>[1],
  schema: RequestSchema = request,
): { pointer: string; detail: string }[] => {
  try {
    parseRequest(schema, given);
  } catch (error) {
    return (error as { options: { errors: { pointer: string; detail: string }[] } }).options.errors;
  }
  return [];
};
const pointers = (given: Parameters<typeof parseRequest>[1]): string[] =>
  faults(given).map(({ pointer }) => pointer);

describe('a request', () => {
  test('is returned with defaults', () => {
    expect(parseRequest(request, { path, body })).toEqual({
      path,
      body: { ...body, expiresIn: 120 },
    });
  });

  test('is rejected with all faults at once, each with its pointer', () => {
    const given = {
      path: { userId: 'a b', deviceId: 'd' },
      body: { message: 5, nonce: 'short', expiresIn: 29.5, 'a/b~c': true, constructor: 1 },
    };
    expect(pointers(given).toSorted()).toEqual(
      ['#/path/userId', '/constructor', '/message', '/nonce', '/expiresIn', '/a~1b~0c'].toSorted(),
    );
  });

  test.each([
    ['a missing member', { nonce: body.nonce }, '/message', "expected 'message', which is missing"],
    ['an unknown member', { ...body, more: 1 }, '/more', 'expected no such member'],
    [
      'a string instead of a number',
      { ...body, expiresIn: '60' },
      '/expiresIn',
      expect.stringContaining('30 to 600'),
    ],
    [
      'null instead of a number',
      { ...body, expiresIn: null },
      '/expiresIn',
      expect.stringContaining('30 to 600'),
    ],
  ])('is rejected with %s by name, with what was expected', (_, given, pointer, detail) => {
    expect(faults({ path, body: given })).toContainEqual({ pointer, detail });
  });

  test.each([
    [30, 30, 31],
    [60, 60, 61],
    [600, 120, 601],
    [86_400, 120, 86_401],
  ])(
    'has, with a longest lifetime of %i s, %i s by default, and cannot have %i s',
    (longest, usual, tooLong) => {
      const bounded = v.object({ body: pushBody(longest) });
      expect(parseRequest(bounded, { body }).body.expiresIn).toBe(usual);
      expect(parseRequest(bounded, { body: { ...body, expiresIn: longest } }).body.expiresIn).toBe(longest);
      const detail = `expected a whole number of seconds from 30 to ${longest}`;
      expect(() => parseRequest(bounded, { body: { ...body, expiresIn: tooLong } })).toThrow(
        expect.objectContaining({ options: { errors: [{ pointer: '/expiresIn', detail }] } }),
      );
    },
  );

  test('is rejected in a small response for many long unknown members', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `${index}${'\u0000/~'.repeat(index)}`);
    const given = { path, body: { ...body, ...Object.fromEntries(names.map((name) => [name, 1])) } };
    expect(faults(given)).toHaveLength(100);
    expect(JSON.stringify(faults(given)).length).toBeLessThan(100_000);
    expect(() => parseRequest(request, given)).toThrow(
      '5000 faults: the first 100 are listed, 4900 more are not',
    );
  });

  test('is rejected with the name of a nested unknown member', () => {
    const nested = v.object({ body: v.strictObject({ inner: v.strictObject({ a: v.number() }) }) });
    const noSuch = (pointer: string) => [{ pointer, detail: 'expected no such member' }];
    expect(faults({ body: { inner: { a: 1, b: 2 } } }, nested)).toEqual(noSuch('/inner/b'));
    expect(faults({ body: { inner: { a: 1, 'b/c~d': 2 } } }, nested)).toEqual(noSuch('/inner/b~1c~0d'));
    const query = v.object({ query: v.strictObject({}) });
    expect(faults({ query: { more: '1' } }, query)).toEqual(noSuch('#/query/more'));
  });

  test('may not have a member that every object inherits', () => {
    expect(pointers({ path, body: { ...body, toString: 1 } })).toEqual(['/toString']);
  });

  test('may have additional members where the schema allows them', () => {
    const open = v.object({ body: v.object({ a: v.number() }) });
    expect(parseRequest(open, { body: { a: 1, b: 2 } })).toEqual({ body: { a: 1 } });
  });

  test.each([null, undefined, 'text', 7, [1]])('is rejected as a whole with the body %j', (given) => {
    for (const pointer of pointers({ path, body: given })) expect(pointer).not.toMatch(/\d/);
    expect(faults({ path, body: given })).not.toEqual([]);
  });

  test('is rejected without its own values', () => {
    expect(JSON.stringify(faults({ path, body: { ...body, nonce: 'my secret' } }))).not.toContain(
      'my secret',
    );
    const checked = v.object({ body: v.object({ id: v.pipe(v.string(), v.uuid()) }) });
    expect(faults({ body: { id: 'my secret' } }, checked)).toEqual([
      { pointer: '/id', detail: 'expected another value' },
    ]);
  });
});
