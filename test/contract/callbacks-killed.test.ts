/** A process that is killed while call-backs are under way loses none. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { OwnStack } from '../support/own-stack.ts';
import { accepting, Receiver, until } from '../support/receiver.ts';
import { CallbackWebsite } from './callbacks/website.ts';
import { enrolDevice, openChallenge, push } from './scenario.ts';

const LONG = 240_000;
let data = '';
let stack: OwnStack;
let receiver: Receiver;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  receiver = await Receiver.start();
});
afterEach(async () => await stack.stop(), LONG);
afterAll(async () => {
  await receiver.close();
  await rm(data, { recursive: true, force: true });
});

test(
  'they come when it is there again, with the ids that they had',
  async () => {
    const start = async () => {
      stack = new OwnStack({ dataDirectory: data });
      await stack.start();
    };
    await start();
    const website = await CallbackWebsite.open(stack, receiver.url);
    const asked = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const device = await enrolDevice(website.client);
        return { device, sent: await push(website.client, device) };
      }),
    );
    // Whoever calls does not live to hear an answer.
    receiver.behave = () => undefined;
    const challengeIds = await Promise.all(
      asked.map(async ({ device, sent }) => {
        bodyOf(await device.confirm(await openChallenge(device)));
        return sent.challengeId;
      }),
    );
    await until(() => receiver.calls.length > 0);
    await stack.kill();
    const before = new Map(receiver.calls.map(({ body, headers }) => [body.data['challengeId'], headers]));
    receiver.calls.length = 0;
    receiver.behave = accepting;

    await start();
    for (const challengeId of challengeIds) {
      const [call] = await receiver.until(1, challengeId);
      const id = before.get(challengeId)?.['webhook-id'] ?? call?.headers['webhook-id'];
      expect(call?.headers['webhook-id']).toBe(id);
    }
    expect(before.size).toBeGreaterThan(0);
  },
  LONG,
);
