/** ID tokens with evidence, as the running stack issues them. */
import { beforeAll, expect, test } from '@jest/globals';
import { EvidenceError, newNonce, type OmiKeys, verifyIdToken } from '#website';
import { demoClient } from '../../contract/ciba/oauth-client.ts';
import { bodyOf } from '../../../client/http.ts';
import { enrolDevice, openChallenge } from '../../contract/scenario.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const stack = useSharedStack();
const message = 'Sign the contract?';
const details = ' [{"type":"contract", "pages":10.0}] ';

let [idToken, userId] = ['', ''];
let asked: Parameters<typeof verifyIdToken>[1];

beforeAll(async () => {
  const phone = await enrolDevice(stack.website);
  ({ userId } = phone.identity);
  const client = demoClient(stack);
  const { auth_req_id: authReqId } = await client.start(userId, {
    binding_message: message,
    authorization_details: details,
  });
  bodyOf(await phone.confirm(await openChallenge(phone)));
  ({ id_token: idToken } = (await client.poll(authReqId)).body as { id_token: string });
  const { baseUrl } = stack.file;
  const keys = (await (await fetch(`${baseUrl}/.well-known/omi-keys`)).json()) as OmiKeys;
  asked = { keys, baseUrl, clientId: client.clientId, authReqId, message, details };
});

const codeOf = async (token: string, changes: object = {}): Promise<string> =>
  await verifyIdToken(token, { ...asked, ...changes }).then(
    () => 'none',
    (error: unknown) => (error instanceof EvidenceError ? error.code : String(error)),
  );

test('are verified with the evidence in them', async () => {
  expect(await verifyIdToken(idToken, asked)).toMatchObject({ sub: userId, aud: asked.clientId });
});

test.each<[string, () => object]>([
  ['another request', () => ({ authReqId: newNonce() })],
  ['another client', () => ({ clientId: 'another' })],
  ['another service', () => ({ baseUrl: 'https://omi.example.org' })],
  ['a time after they expired', () => ({ now: Date.now() + 3_600_000 })],
  ['a time before they were issued', () => ({ now: Date.now() - 3_600_000 })],
  ['no keys', () => ({ keys: { keys: [] } })],
  [
    'keys for receipts alone',
    () => ({ keys: { keys: asked.keys.keys.filter((key) => key.for !== 'token') } }),
  ],
])('are refused with %s', async (_, changes) => {
  expect(await codeOf(idToken, changes())).toBe('id-token');
});

test('are refused with a changed signature, claim or header', async () => {
  const [header = '', claims = '', signature = ''] = idToken.split('.');
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const other = signature.startsWith('A') ? 'B' : 'A';
  const changed = [
    `${header}.${claims}.${other}${signature.slice(1)}`,
    `${header}.${encode({ ...decode(claims), sub: 'mallory' })}.${signature}`,
    `${encode({ ...decode(header), typ: 'at+jwt' })}.${claims}.${signature}`,
    `${encode({ ...decode(header), alg: 'none' })}.${claims}.`,
    'no token',
  ];
  expect(await Promise.all(changed.map(async (token) => await codeOf(token)))).toEqual(
    changed.map(() => 'id-token'),
  );
});

test('prove nothing of another message, or of details in another form than they were sent in', async () => {
  expect(await codeOf(idToken, { message: 'Sign another?' })).toBe('messageHash');
  expect(await codeOf(idToken, { details: '[{"type":"contract","pages":10.0}]' })).toBe('detailsHash');
  expect(await codeOf(idToken, { details: undefined })).toBe('detailsHash');
});
