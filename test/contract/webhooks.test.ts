/** A webhook gets everything, in order, whatever is wrong with its receiver for a while, and a replay sends it again. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verified } from '../support/receiver.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { jsonOn } from '../cli/omi.ts';
import { expectOrder } from './export-faults/arrivals.ts';
import { isActive } from './export-faults/is-active.ts';
import { joined, newKeys, recordRounds } from './export-faults/recorded.ts';
import { type Trouble, troubles } from './webhooks/troubles.ts';
import { WebhookScene } from './webhooks/webhook-scene.ts';

const stack = useSharedStack();
afterAll(async () => await WebhookScene.closeAll());

async function passThrough(scene: WebhookScene, { begin, told, mayRepeat }: Trouble): Promise<void> {
  const { source, console } = scene;
  const keys = newKeys(4);
  const before = await recordRounds(source, keys, 1);
  await scene.isComplete(before);

  const end = await begin(scene);
  const first = await recordRounds(source, keys, 2);
  if (told) {
    const { code, ...others } = told;
    const target = await console.register.becomes(console.ref(), code, ({ fault }) => fault?.code === code);
    expect(target.state).toBe(others.state);
    expect(target.fault).toMatchObject({ actor: others.actor, reason: expect.stringMatching(others.reason) });
  } else await scene.isComplete(joined(before, first));
  const second = await recordRounds(source, [...keys, ...newKeys(2)], 1);

  await end();
  const third = await recordRounds(source, keys, 2);
  await scene.isComplete(joined(before, first, second, third));
  // What comes again is the same call, by which a receiver knows it.
  if (mayRepeat) for (const calls of scene.callsOfEvents().values()) expect(calls.size).toBe(1);
  else scene.expectNoDuplicates();
}

describe('a webhook', () => {
  const passed = new Map<string, Promise<void>>();
  // All at the same time: each waits for the queue most of the time.
  beforeAll(async () => {
    const begun = Object.entries(troubles).map(async ([name, trouble]) => {
      const scene = await WebhookScene.open(stack, trouble.certificate);
      const passing = passThrough(scene, trouble);
      passing.catch(() => undefined);
      passed.set(name, passing);
    });
    await Promise.all(begun);
  });
  test.each(Object.keys(troubles))(
    'gets everything, in order, if it %s, and its record says why it waited',
    async (name) => await passed.get(name),
  );
});

/** Events of a call: so many that those that waited together need several. */
const events = 90;

test('gets the same call again after a 500 in the middle of a batch, before any later call', async () => {
  const scene = await WebhookScene.open(stack);
  const { source, console } = scene;
  await console.post('/omi/exports/public/pause');
  const [key = ''] = newKeys(1);
  const recorded = await recordRounds(
    source,
    Array.from({ length: events }, () => key),
    3,
  );
  await console.register.becomes(console.ref(), 'waiting', ({ parkedCount }) => parkedCount === 3 * events);
  scene.answer = (response, { take, number }) => {
    if (number !== 2 && number !== 3) take();
    response.writeHead(number === 2 || number === 3 ? 500 : 204).end();
  };
  await console.post('/omi/exports/public/resume');
  await scene.isComplete(recorded);
  scene.expectNoDuplicates();
  const [, ...ids] = scene.calls.map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(0, 3)).toEqual([ids[0], ids[0], ids[0]]);
  expect(new Set(ids).size).toBe(ids.length - 2);
});

test('gets everything again, in order and signed, in a replay by operator or tenant', async () => {
  const scene = await WebhookScene.open(stack);
  const { source, console } = scene;
  const from = new Date(Date.now() - 60_000).toISOString();
  const recorded = await recordRounds(source, newKeys(4), 3);
  await scene.isComplete(recorded);
  const to = new Date().toISOString();

  const range = ['--from', from, '--to', to];
  const byOperator = await jsonOn(stack)('replay', console.tenantId, 'public', ...range);
  expect(byOperator).toMatchObject({ state: 'done', eventsSent: 12 });
  const asked = await console.post('/omi/exports/public/replays', { from, to });
  expect(asked.status).toBe(202);
  const { replayId } = asked.body as { replayId: string };
  const done = await console.until(
    `/omi/exports/public/replays/${replayId}`,
    ({ state }) => state !== 'running',
  );
  expect(done).toMatchObject({ state: 'done', eventsSent: 12 });

  const times = await scene.untilStored(36);
  expect(times).toBe(36);
  for (let pass = 0; pass < 3; pass += 1)
    expectOrder({ ids: scene.stored.slice(pass * 12, (pass + 1) * 12) }, recorded);
  for (const call of scene.calls) expect(verified(call, scene.secret)).toHaveProperty('events');
  const target = await console.register.becomes(console.ref(), 'well', isActive);
  expect(target).toMatchObject({
    acceptedCount: 12,
    deliveredCount: 12,
    replayedCount: 24,
  });
});
