import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { describeTargetStatus } from '../../../../../core/export/targets/target-status.ts';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { accepting, answering, proving, Receiver, type Behaviour } from '../../../../support/receiver.ts';
import { VerificationWorld } from '../../../../support/verification-world.ts';

let world: VerificationWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await VerificationWorld.start();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});
beforeEach(() => {
  receiver.calls.length = 0;
  receiver.behave = proving;
});

const challengeOf = (text: string): string => (JSON.parse(text) as { challenge: string }).challenge;

async function registered(url = receiver.url): Promise<{ ref: TargetRef; secret: string }> {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const { secret, sealed } = await world.exports.newSecret(ref);
  await world.targets.register(ref, { kind: 'webhook', url, lanes: 2 }, Date.now(), undefined, [sealed]);
  return { ref, secret };
}

test('a webhook goes live when its receiver answers a signed verification with the challenge', async () => {
  const { ref, secret } = await registered();
  expect((await world.target(ref)).state).toBe('validating');
  expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active', isVerified: true });
  const [{ text, headers } = { text: '', headers: {} }, ...others] = receiver.calls;
  expect(others).toEqual([]);
  expect(new Webhook(secret).verify(text, headers)).toEqual({
    type: 'omi.verification',
    challenge: expect.stringMatching(/^[\w-]{32}$/),
  });
});

test('each verification has a challenge of its own', async () => {
  const { ref } = await registered();
  await world.verify(ref);
  await world.verify(ref);
  expect(new Set(receiver.calls.map(({ text }) => challengeOf(text))).size).toBe(2);
});

const says =
  (body: string, status = 200): Behaviour =>
  (response) => {
    response.writeHead(status).end(body);
  };

test.each<[string, Behaviour]>([
  ['no body', accepting],
  ['another challenge', says('{"challenge":"other"}')],
  ['invalid JSON', says('yes')],
  ['JSON without a challenge', says('null')],
  [
    'a body that is too long',
    (response, { text }) =>
      void response.end(' '.repeat(20_000) + JSON.stringify({ challenge: challengeOf(text) })),
  ],
  ['the body that was sent', (response, { text }) => void response.end(text)],
  [
    'the challenge with another status',
    (response, { text }) =>
      void response.writeHead(201).end(JSON.stringify({ challenge: challengeOf(text) })),
  ],
])('an answer with %s proves nothing, and ends the trust of an active webhook', async (_, behave) => {
  const { ref } = await registered();
  receiver.behave = behave;
  const failed = {
    outcome: 'failed',
    state: 'validating',
    isVerified: false,
    code: 'Verification.WebhookUnproven',
    actor: 'tenant',
  };
  expect(await world.tested(ref)).toEqual(failed);
  receiver.behave = proving;
  await world.goLive(ref);
  receiver.behave = behave;
  expect(await world.tested(ref)).toEqual(failed);
});

test.each([
  [404, 'Webhook.Http404'],
  [410, 'Webhook.Http410'],
  [307, 'Webhook.Http307'],
])('a refusal with %i is reported, and parks an active webhook', async (status, code) => {
  const { ref } = await registered();
  await world.goLive(ref);
  receiver.behave = answering(status, { location: receiver.origin });
  expect(await world.tested(ref)).toMatchObject({
    outcome: 'failed',
    state: 'parked',
    code,
    actor: 'tenant',
  });
});

test.each<[string, Behaviour]>([
  ['answers with HTTP 500', answering(500)],
  ['ended without an answer', (response) => void response.destroy()],
])("a receiver that %s to its first test is its tenant's to mend", async (words, behave) => {
  const { ref } = await registered();
  receiver.behave = behave;
  const failed = { outcome: 'failed', state: 'validating', actor: 'tenant' };
  expect(await world.tested(ref)).toMatchObject(failed);
  const { reason, actor } = describeTargetStatus(await world.target(ref), Date.now());
  expect({ reason, actor }).toEqual({ reason: expect.stringContaining(words), actor: 'tenant' });
  expect(reason).toMatch(/ The tenant must find out why\.$/);
  receiver.behave = proving;
  await world.goLive(ref);
});

test.each([429, 500, 503])('%i says nothing about the trust', async (status) => {
  const { ref } = await registered();
  await world.goLive(ref);
  receiver.behave = answering(status);
  expect(await world.tested(ref)).toMatchObject({ outcome: 'not-now', state: 'active', isVerified: true });
});

test('500 in each test for 15 minutes is for the tenant to mend, also while no event comes', async () => {
  const { ref } = await registered();
  await world.goLive(ref);
  receiver.behave = answering(500);
  const begin = Date.now();
  const message = { id: 'one', sentAt: begin };
  const after = async (minutes: number) =>
    (await world.verify(ref, { now: begin + minutes * 60_000, message: { ...message, receives: minutes } }))
      .outcome;
  expect([await after(1), await after(10), await after(15)]).toEqual(['not-now', 'not-now', 'not-now']);
  expect(await after(16)).toBe('failed');
  const { state, actor, reason } = describeTargetStatus(await world.target(ref), begin);
  expect({ state, actor }).toEqual({ state: 'parked', actor: 'tenant' });
  expect(reason).toMatch(/HTTP 500.*for 15 minutes or more/);
  expect(await after(18)).toBe('failed');
  receiver.behave = proving;
  expect(await after(20)).toBe('verified');
  expect(await world.target(ref)).toMatchObject({ state: 'active' });
  receiver.behave = answering(503);
  expect(await after(22)).toBe('not-now');
});

test.each([
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  'https://[::ffff:127.0.0.1]/',
  'http://[::1]/',
  'http://127.0.0.2/',
])('%s is never called, even if it was registered without the command', async (url) => {
  const { ref } = await registered(url);
  expect(await world.tested(ref)).toMatchObject({ outcome: 'failed', code: 'Webhook.NotPublic' });
});

test('a secret that was copied from another target cannot be read', async () => {
  const { ref } = await registered();
  const other = await registered();
  const { webhookSecrets = [] } = await world.target(other.ref);
  await world.targets.replaceWebhookSecrets(await world.target(ref), webhookSecrets);
  expect(await world.tested(ref)).toMatchObject({
    outcome: 'failed',
    code: 'Webhook.InvalidCiphertextException',
    actor: 'operator',
  });
  expect(receiver.calls).toEqual([]);
});

test('nothing is called without a secret', async () => {
  const { ref } = await registered();
  await world.targets.register(ref, { kind: 'webhook', url: `${receiver.url}/b`, lanes: 2 }, Date.now());
  expect(await world.tested(ref)).toMatchObject({ code: 'Webhook.NoSecret', actor: 'operator' });
  expect(receiver.calls).toEqual([]);
});
