/** Callbacks of the running service, to receivers that behave as websites do and as they should not. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { jsonOn } from '../cli/omi.ts';
import { expectSchema } from '../support/openapi.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { Omi } from '#website';
import {
  accepting,
  answering,
  type Behaviour,
  type ReceivedCall,
  Receiver,
  verified,
} from '../support/receiver.ts';
import { until } from '../support/waiting.ts';
import { CallbackWebsite } from './callbacks/website.ts';
import { enrolDevice, notification, openChallenge, push } from './scenario.ts';

const stack = useSharedStack();

let receiver: Receiver;
let website: CallbackWebsite;

beforeAll(async () => {
  receiver = await Receiver.start();
  website = await CallbackWebsite.open(stack, receiver.url);
});
afterAll(async () => await receiver.close());

async function asked(client = website.client) {
  const device = await enrolDevice(client);
  const { message, nonce } = notification();
  const sent = await push(client, device, { message, nonce });
  return { device, sent, message };
}

describe('callbacks', () => {
  test('report a confirmation, and an unmodified library verifies their signature', async () => {
    const { device, sent } = await asked();
    bodyOf(await device.confirm(await openChallenge(device)));
    const [call] = await receiver.until(1, sent.challengeId);
    const { nonce, matchCode, ...confirmation } = bodyOf(await website.client.getConfirmation(sent.nonce));
    expect(nonce).toBe(sent.nonce);
    expect(matchCode).toBeUndefined();
    expect(call?.body).toEqual({
      type: 'confirmation.confirmed',
      timestamp: confirmation.decidedAt,
      data: confirmation,
    });
    expectSchema('Callback', call?.body);
    expect(call && verified(call, website.secret)).toEqual(call?.body);
    expect(await website.receiver()).toMatchObject({ state: 'active', fast: true });
  });

  test('report a denial, a withdrawal and the removal of a device', async () => {
    const [denied, withdrawn, removed] = await Promise.all([asked(), asked(), asked()]);
    bodyOf(await denied.device.deny(await openChallenge(denied.device), 'not_me'));
    await website.client.withdraw(withdrawn.sent.nonce);
    await removed.device.remove();
    const dataOf = async ({ sent }: typeof denied) => (await receiver.until(1, sent.challengeId))[0]?.body;
    expect(await dataOf(denied)).toMatchObject({ type: 'confirmation.denied', data: { reason: 'not_me' } });
    for (const [one, reason] of [
      [withdrawn, 'withdrawn'],
      [removed, 'device_removed'],
    ] as const)
      expect(await dataOf(one)).toMatchObject({ type: 'confirmation.cancelled', data: { reason } });
    for (const one of [denied, withdrawn, removed]) expectSchema('Callback', await dataOf(one));
  });
});

const packageOf = ({ tenantId, secret }: CallbackWebsite): Omi =>
  new Omi({
    baseUrl: stack.file.baseUrl,
    token: async () => await Promise.reject(new Error('no call is made')),
    tenantId,
    callbackSecret: secret,
  });

const requestOf = ({ headers, text }: ReceivedCall): Request =>
  new Request(receiver.url, {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))),
    body: text,
  });

type Asked = Awaited<ReturnType<typeof asked>>;

async function confirm({ device, sent }: Asked): Promise<string> {
  bodyOf(await device.confirm(await openChallenge(device)));
  return sent.challengeId;
}

async function withReceiver(
  behave: Behaviour,
  work: (other: CallbackWebsite, at: Receiver) => Promise<void>,
): Promise<void> {
  const at = await Receiver.start(behave);
  try {
    await work(await CallbackWebsite.open(stack, at.url), at);
  } finally {
    await at.close();
  }
}

const failingUntil =
  (call: number, failure: Behaviour): Behaviour =>
  (response, received, calls) =>
    (calls < call ? failure : accepting)(response, received, calls);

describe('a callback receiver', () => {
  test('gets nothing after it answered 410, and everything that waited after a test call succeeds', async () => {
    await withReceiver(answering(410), async (other, gone) => {
      const [one, two] = await Promise.all([asked(other.client), asked(other.client)]);
      const first = await confirm(one);
      await other.until(({ state }) => state === 'stopped');
      expect(await other.receiver()).toMatchObject({ reason: 'It answered with HTTP 410.' });
      const second = await confirm(two);
      await until(async () => (await other.waiting()) === 2);
      const refused = await other.testCall();
      expect(refused).toMatchObject({ succeeded: false, reason: 'It answered with HTTP 410.' });
      expect(gone.about(second)).toEqual([]);
      gone.behave = accepting;
      expect(await other.testCall()).toMatchObject({ succeeded: true });
      const tests = gone.calls.filter(({ body }) => body.data['userId'] === 'callback-test');
      expect(tests).toHaveLength(2);
      for (const call of tests) {
        expect(call.body.type).toBe('confirmation.cancelled');
        // As the package for websites reads every callback.
        await packageOf(other).verifyCallback(requestOf(call));
      }
      await gone.until(2, first);
      await gone.until(1, second);
      await until(async () => (await other.waiting()) === 0);
      expect(await other.receiver()).toMatchObject({ state: 'active' });
    });
  });

  test('gets nothing while its tenant is suspended', async () => {
    const suspended = Promise.withResolvers<undefined>();
    const refusing: Behaviour = async (response) => {
      await suspended.promise;
      response.writeHead(500).end();
    };
    await withReceiver(failingUntil(2, refusing), async (other, at) => {
      const challengeId = await confirm(await asked(other.client));
      await at.until(1, challengeId);
      await jsonOn(stack)('tenant', 'suspend', other.tenantId);
      suspended.resolve(undefined);
      // Every attempt from now on finds the suspension.
      const isHeld = (line: string) => line.includes('"held"') && line.includes(challengeId);
      await until(async () => (await stack.log()).split('\n').some(isHeld));
      expect(at.about(challengeId)).toHaveLength(1);
      expect(await other.waiting()).toBe(1);
      await jsonOn(stack)('tenant', 'resume', other.tenantId);
      await at.until(2, challengeId);
      await until(async () => (await other.waiting()) === 0);
    });
  });

  test('delays no other receiver when it does not answer, and gets at most twenty calls at once', async () => {
    let [open, most] = [0, 0];
    const released = Promise.withResolvers<undefined>();
    const silent: Behaviour = async (response) => {
      open += 1;
      most = Math.max(most, open);
      await released.promise;
      open -= 1;
      response.writeHead(204).end();
    };
    await withReceiver(silent, async (other, at) => {
      const one = await asked();
      const blocked = await Promise.all(Array.from({ length: 8 }, async () => await asked(other.client)));
      const ids = await Promise.all(blocked.map(confirm));
      await until(() => open > 1);
      await receiver.until(1, await confirm(one));
      // Calls of the silent receiver were and are under way.
      expect(open).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(20);
      released.resolve(undefined);
      for (const id of ids) await at.until(1, id);
    });
  });
});

test('the package for websites verifies a callback and the evidence in it', async () => {
  const one = await asked();
  const [call] = await receiver.until(1, await confirm(one));
  if (!call) throw new Error('There is no callback');
  const omi = packageOf(website);
  const { data } = await omi.verifyCallback(requestOf(call));
  expect(data).toMatchObject({ challengeId: one.sent.challengeId, status: 'confirmed' });
  if (data.status !== 'confirmed') throw new Error('It is not confirmed');
  const { nonce, userId } = one.sent;
  const known = { userId, nonce, message: one.message };
  await expect(omi.verifyEvidence(data, known)).resolves.toMatchObject({ decision: 'confirm' });
});
