import { describe, expect, test } from '@jest/globals';
import { readLoginHint } from '../../../core/openid/login-hint.ts';

const issuer = 'https://omi.example';
const former = 'https://former.example';
const read = (text: string) => readLoginHint(text, [issuer, former]);
const subject = (changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ format: 'iss_sub', iss: issuer, sub: 'anna', ...changes });

describe('a user id', () => {
  test.each(['anna', 'a'.repeat(128), 'anna@example.org', '...'])('may be %j', (text) => {
    expect(read(text)).toEqual({ userId: text });
  });

  test.each([' ', '.', '..', 'a'.repeat(129), 'anna ', ' anna', 'an#na', 'an/na', 'Zoë', '[]', '"anna"'])(
    'may not be %j',
    (text) => {
      expect(read(text)).toBeUndefined();
      expect(read(subject({ sub: text }))).toBeUndefined();
    },
  );
});

describe('a subject identifier', () => {
  test.each(['', ' ', '\n\t'])('may begin with white space: %j', (space) => {
    expect(read(`${space}${subject()}`)).toEqual({ userId: 'anna' });
  });

  test('may name the device', () => {
    expect(read(subject({ device: 'phone' }))).toEqual({ userId: 'anna', deviceId: 'phone' });
  });

  test.each([undefined, issuer, `${issuer}/`, former])('may be of this issuer: %j', (iss) => {
    expect(read(subject({ iss }))).toEqual({ userId: 'anna' });
  });

  test.each([
    '',
    'https://another.example',
    `${issuer}//`,
    `${issuer}/a`,
    `${former}/a`,
    'HTTPS://omi.example',
  ])('may not be of the issuer %j', (iss) => {
    expect(read(subject({ iss }))).toBeUndefined();
  });

  test.each([
    ['another format', subject({ format: 'email' })],
    ['no format', subject({ format: undefined })],
    ['no subject', subject({ sub: undefined })],
    ['a subject that is not a string', subject({ sub: 7 })],
    ['an issuer that is not a string', subject({ iss: null })],
    ['a device that is not a string', subject({ device: 7 })],
    ['a missing end', subject().slice(0, -1)],
  ])('is refused with %s', (_, text) => {
    expect(() => read(text)).toThrow(
      'Expected a login_hint that is a user id, or JSON with format: iss_sub and sub.',
    );
  });
});
