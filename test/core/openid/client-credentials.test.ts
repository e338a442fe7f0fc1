import { describe, expect, test } from '@jest/globals';
import { base64url } from 'jose';
import { readCredentials } from '../../../core/openid/client-credentials.ts';
import { Form } from '../../../core/openid/form.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');
const read = (authorization: string | undefined, form: Record<string, string> = {}) =>
  readCredentials(authorization, new Form(new URLSearchParams(form).toString()));

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const assertion = [{ alg: 'ES256' }, { sub: 'payments' }, {}]
  .map((part) => base64url.encode(JSON.stringify(part)))
  .join('.');

describe('client_secret_basic', () => {
  const good = encoded('payments:secret');

  test.each([`Basic ${good}`, `basic ${good}`, `BASIC ${good}`, `Basic   ${good}`])(
    'is read from the header %j',
    (header) => {
      expect(read(header)).toEqual({ clientId: 'payments', secret: 'secret' });
    },
  );

  test.each([
    ['an encoded id', 'pay%20m%3Aents+1:secret', { clientId: 'pay m:ents 1', secret: 'secret' }],
    ['an encoded secret', 'payments:%C3%BC+%2B%25', { clientId: 'payments', secret: 'ü +%' }],
    ['colons in the secret', 'payments:a:b::', { clientId: 'payments', secret: 'a:b::' }],
    ['an equals sign in both', 'a=b:c==', { clientId: 'a=b', secret: 'c==' }],
  ])('may have %s', (_, text, credentials) => {
    expect(read(`Basic ${encoded(text)}`)).toEqual(credentials);
  });

  test.each([
    '',
    'Basic',
    'Basic ',
    `Basic${good}`,
    `Basic\t${good}`,
    `xBasic ${good}`,
    ` Basic ${good}`,
    `Bearer ${good}`,
    `Basic ${good} `,
    `Basic ${good}, Basic ${good}`,
    `Basic !${good}`,
    `Basic ${good}===`,
    `Basic ${encoded(':secret')}`,
    `Basic ${encoded('payments:')}`,
    `Basic ${encoded('payments')}`,
    `Basic ${encoded('pay%zzments:secret')}`,
    `Basic ${encoded('payments:%ff')}`,
  ])('is rejected in the header %j', (header) => {
    expect(() => read(header)).toThrow(
      'Expected the header Authorization: Basic with a client id and secret.',
    );
  });
});

describe('the form', () => {
  test('has the id with the secret', () => {
    expect(read(undefined, { client_id: 'payments', client_secret: 'secret' })).toEqual({
      clientId: 'payments',
      secret: 'secret',
    });
    for (const form of [{}, { client_id: 'payments' }, { client_secret: 'secret' }])
      expect(() => read(undefined, form)).toThrow('Expected client_secret_basic, client_secret_post or');
  });

  test('has the type with the assertion', () => {
    const form = { client_assertion: assertion, client_assertion_type: assertionType };

    expect(read(undefined, form)).toEqual({ clientId: 'payments', assertion });
    expect(() => read(undefined, { client_assertion: assertion })).toThrow('Expected client_assertion_type=');
    expect(() => read(undefined, { client_assertion_type: assertionType })).toThrow(
      'Expected client_secret_basic, client_secret_post or',
    );
  });
});

test.each<[string, string | undefined, Record<string, string>]>([
  ['the header and a secret', 'Basic', { client_id: 'payments', client_secret: 'secret' }],
  ['the header and an assertion', 'Basic', { client_assertion: assertion }],
  ['the header and the type of an assertion', 'Basic', { client_assertion_type: assertionType }],
  ['a secret and an assertion', undefined, { client_secret: 'secret', client_assertion: assertion }],
  [
    'a secret and the type of an assertion',
    undefined,
    { client_secret: 'secret', client_assertion_type: assertionType },
  ],
])('a client that uses several methods is rejected: %s', (_, header, form) => {
  expect(() => read(header, form)).toThrow('Expected one method of client authentication.');
});
