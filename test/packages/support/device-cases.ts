/** Answers that no device takes for the service's, and challenges that it does not sign, for the packages of all languages. */
import { messageHashOf } from '../../../client/digests.ts';
import { json, type Reply } from './scripted-service.ts';

export const context = '{"userVerification":"off"}';

export const challenge = {
  challengeId: 'challenge-1',
  tenant: 'Bank',
  message: 'Pay 12.50 €?',
  messageHash: messageHashOf('Pay 12.50 €?'),
  context,
  contextHash: messageHashOf(context),
  createdAt: '2026-05-01T12:00:00.000Z',
  expiresAt: '2026-05-01T12:02:00.000Z',
  expiresInMs: 120_000,
};

/** The challenge with other members. */
export const changed = (change: object): unknown => ({ ...challenge, ...change });

const withContext = (members: object): unknown =>
  changed({ context: JSON.stringify({ userVerification: 'off', ...members }) });

export const malformedChallenges: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 7,
  'a list': [],
  'no message': changed({ message: undefined }),
  'a message that is not a string': changed({ message: { toString: 'x' } }),
  'no hash': changed({ messageHash: '' }),
  'an account that is null': changed({ account: null }),
  'an id that leads elsewhere': changed({ challengeId: '..' }),
  'an id with a slash': changed({ challengeId: 'a/b' }),
  'a time that is not a number': changed({ expiresInMs: '∞' }),
  'numbers with markup': changed({ matchNumbers: ['<b>12</b>'] }),
  'numbers that are not a list': changed({ matchNumbers: { 0: '12', length: 1 } }),
  'no context': changed({ context: undefined }),
  'a context that is not JSON': changed({ context: '{' }),
  'a context without a mode of verification': changed({ context: '{}' }),
  'a requester without a name': withContext({ requester: {} }),
  'a device without a name': withContext({ device: { deviceId: 'phone' } }),
  'a group without a size': withContext({ group: { id: 'g', required: 2 } }),
  'an unknown mode of verification': withContext({ userVerification: 'sometimes' }),
  'a way back to an object': changed({ returnTo: 'blob:https://shop.example/x' }),
  'a way back that is a script': changed({ returnTo: 'javascript:alert(1)' }),
  'a way back without slashes': changed({ returnTo: 'https:shop.example/x' }),
  'a way back without a host': changed({ returnTo: 'https:///shop.example/x' }),
  'a way back without TLS': changed({ returnTo: 'http://localhost.evil.example/' }),
};

const page = '<!doctype html><title>Sign in to the hotel</title>';

/** Answers to a request for challenges. */
export const foreignAnswers: Readonly<Record<string, Reply>> = {
  'a page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  'a page of an error': (response) => void response.writeHead(403).end(page),
  'a page that asks for a password': (response) =>
    void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(page),
  nothing: json(200, ''),
  'a redirect': json(302, '', { location: 'https://evil.example/' }),
  'a redirect that keeps the method': json(307, '', { location: 'https://evil.example/' }),
  'nested without end': json(200, '['.repeat(200_000)),
  'half of it': json(200, '{"challenges":['),
  'a list': json(200, []),
  null: json(200, 'null'),
  'a code with markup': json(400, { code: '<script>alert(1)</script>' }),
  'a code that is a list': json(400, { code: ['constructor'] }),
  'larger than any': json(200, JSON.stringify({ challenges: [], filler: 'x'.repeat(2 * 1024 * 1024) })),
};

/** Answers to an enrolment. */
export const malformedIdentities: readonly object[] = [
  {},
  { deviceId: 'd', tenantId: 't' },
  { deviceId: '', tenantId: 't', userId: 'u', tenant: 'Bank' },
  { deviceId: 'd', tenantId: 't', userId: 'u' },
  { deviceId: 'd', tenantId: 't', userId: 'u', tenant: 'Bank', account: 7 },
  { deviceId: 1 },
];

export const malformedSettings: readonly object[] = [
  {},
  { webPush: {}, rpId: 'x', origins: [] },
  { webPush: { applicationServerKey: 'B' }, rpId: 'x', origins: 'y' },
];

export const malformedBrands: readonly object[] = [
  {},
  { name: '' },
  { name: 'Bank', color: 'red' },
  { name: 'Bank', color: '#ffffff;background:url(//evil.example)' },
  { name: 'Bank', logoUrl: 'javascript:alert(1)' },
  { name: 'Bank', supportUrl: 'javascript:alert(1)' },
  { name: 'Bank', supportUrl: 'http://bank.example' },
  { name: 'Bank', supportUrl: 'https:bank.example' },
  { name: 'Bank', supportUrl: 'https:///bank.example' },
];

const details = '[{"type":"payment","amount":"10"}]';
const detailsHash = messageHashOf(details);

/** Members with which a hash is not that of what is shown. */
export const otherThanShown: Readonly<Record<string, object>> = {
  'another message': { message: 'Pay 1,250 €?' },
  'another hash': { messageHash: messageHashOf('Pay 1,250 €?') },
  'details without a hash': { details },
  'a hash without details': { detailsHash },
  'another context': { context: context.replace('off', 'preferred') },
  'another hash of the context': { contextHash: messageHashOf('{}') },
  'other details': { details: details.replace('10', '99'), detailsHash },
};
