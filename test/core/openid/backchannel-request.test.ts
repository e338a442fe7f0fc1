import { describe, expect, test } from '@jest/globals';
import { readBackchannelRequest } from '../../../core/openid/backchannel-request.ts';
import { Form } from '../../../core/openid/form.ts';

/** Good parameters but for the given ones. */
const read = (changes: Record<string, string> = {}) => {
  const parameters = { scope: 'openid', login_hint: 'anna', ...changes };
  return readBackchannelRequest(new Form(new URLSearchParams(parameters).toString()), [
    'https://omi.example',
  ]);
};
const refused = (code: string, message: unknown = expect.any(String)) =>
  expect.objectContaining({ code, message });

describe('the scope', () => {
  test.each(['openid', 'openid payments', 'payments openid', "openid !#$%&'()*+,-./:;<=>?@[]^_`{|}~"])(
    'may be %j',
    (scope) => {
      expect(read({ scope })).toMatchObject({ scope });
    },
  );

  test.each([
    ...['openid2', 'xopenid', 'OpenID', 'payments', ' '],
    ...[' openid', 'openid ', 'openid  payments', 'openid\tpayments', 'payments\nopenid'],
    ...['openid "', 'openid a"b', 'openid \\', '" openid', '\\ openid', 'openid \u007f', 'openid Zoë'],
  ])('may not be %j', (scope) => {
    expect(() => read({ scope })).toThrow(refused('invalid_scope'));
  });

  test('may have 1024 characters', () => {
    const longest = `openid ${'x'.repeat(1017)}`;

    expect(read({ scope: longest })).toMatchObject({ scope: longest });
    expect(() => read({ scope: `${longest}x` })).toThrow(refused('invalid_scope'));
  });
});

test.each<[string, Record<string, string>]>([
  ['a user and a token', { login_hint_token: 'x' }],
  ['a user and an ID token', { id_token_hint: 'x' }],
  ['two tokens', { login_hint: '', login_hint_token: 'x', id_token_hint: 'x' }],
])('a request without exactly one hint is rejected: %s', (_, changes) => {
  expect(() => read(changes)).toThrow(refused('invalid_request', 'Expected one hint about the user.'));
});

describe('the requested expiry', () => {
  test.each([
    ['1', 1],
    ['060', 60],
    ['0001', 1],
    ['600', 600],
  ])('%s is %d seconds', (requested_expiry, requestedExpiry) => {
    expect(read({ requested_expiry })).toMatchObject({ requestedExpiry });
  });

  test.each(['0', '00', '-1', '+1', '1.5', '1e3', '0x10', '60s', 's60', ' 60', '60 ', '6 0', '٦٠'])(
    'may not be %j',
    (requested_expiry) => {
      expect(() => read({ requested_expiry })).toThrow(refused('invalid_request'));
    },
  );
});

describe('the token for notifications', () => {
  test.each(['a', 'aZ09-._~+/', 'a=', 'a===', 'x'.repeat(1024), `${'x'.repeat(1022)}==`])(
    'may be %.20j',
    (client_notification_token) => {
      expect(read({ client_notification_token })).toMatchObject({
        notificationToken: client_notification_token,
      });
    },
  );

  test.each([
    ...['=', '=a', 'a=b', 'a b', ' a', 'a ', 'a\n', '\na', 'a\r\nx: y', 'a,b', 'a"', 'ä', 'äa', 'aä'],
    ...['x'.repeat(1025), `${'x'.repeat(1023)}==`],
  ])('may not be %.20j', (client_notification_token) => {
    expect(() => read({ client_notification_token })).toThrow(refused('invalid_request'));
  });
});

test('a fault of authorization details is described with its place, in allowed characters', () => {
  const authorization_details = '[{"type":"payment","Zoë\\"\\\\":"\\u0007"}]';

  expect(() => read({ authorization_details })).toThrow(
    refused(
      'invalid_authorization_details',
      'In the authorization_details at /0/Zo???: expected no character that is invisible, ends a line or changes the direction of text: remove U+0007.',
    ),
  );
  expect(() => read({ authorization_details: '{}' })).toThrow(
    refused(
      'invalid_authorization_details',
      'In the authorization_details: expected a list of one or more objects, each with a type (RFC 9396).',
    ),
  );
});

test('a signed request and a repeated unknown parameter are refused', () => {
  const form = 'scope=openid&login_hint=anna&audience=a';
  const readText = (text: string) => () => readBackchannelRequest(new Form(text), ['https://omi.example']);

  expect(readText(form)).not.toThrow();
  expect(readText(`${form}&request=e30.e30.`)).toThrow(refused('invalid_request'));
  expect(readText(`${form}&audience=a`)).toThrow(refused('invalid_request'));
});
