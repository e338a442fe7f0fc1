import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { exportBatch, timeBudget } from '../../../../../core/export/delivery/export-batch.ts';
import { laneIndex } from '../../../../../core/export/targets/lanes.ts';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { ExportWorld, series } from '../../../../support/export-world.ts';
import { accepting, answering, Receiver, type Behaviour } from '../../../../support/receiver.ts';
import { callsOf, numbersByKey } from '../../../../support/webhook-events.ts';

let world: ExportWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});
beforeEach(async () => {
  await (receiver as Receiver | undefined)?.close();
  receiver = await Receiver.start();
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** A key of this lane, of two. */
function keyIn({ tenantId }: TargetRef, lane: number): string {
  for (let index = 0; ; index += 1) if (laneIndex(`${tenantId}#k${index}`, 2) === lane) return `k${index}`;
}

describe('events for a webhook', () => {
  test('arrive in one call, signed as Standard Webhooks', async () => {
    const { ref, secret } = await world.webhookTarget(receiver.url);
    await world.export(world.records(ref, series('a', 0, 3)));
    const [call, ...others] = receiver.calls;
    expect(others).toEqual([]);
    expect(call?.path).toBe('/omi/callback');
    expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'OMI' });
    expect(new Webhook(secret).verify(call?.text ?? '', call?.headers ?? {})).toMatchObject({
      events: [{ metadata: { n: 0 } }, { metadata: { n: 1 } }, { metadata: { n: 2 } }],
    });
    expect(await world.target(ref)).toMatchObject({ state: 'active', acceptedCount: 3, deliveredCount: 3 });
  });

  test('are signed with both secrets during a rotation', async () => {
    const { ref, secret, destination } = await world.webhookTarget(receiver.url);
    const next = await world.newSecret(ref);
    const { webhookSecrets = [] } = await world.target(ref);
    expect(
      await world.deps.targets.replaceWebhookSecrets(await world.target(ref), [
        next.sealed,
        ...webhookSecrets,
      ]),
    ).toBe(true);
    expect((await world.target(ref)).destination).toEqual(destination);
    await world.export(world.records(ref, series('a', 0, 1)));
    const [{ text, headers } = { text: '', headers: {} }] = receiver.calls;
    for (const one of [secret, next.secret]) expect(new Webhook(one).verify(text, headers)).toBeDefined();
  });

  test('are not sent without a secret, which the operator must create', async () => {
    const { ref } = await world.webhookTarget(receiver.url);
    expect(await world.deps.targets.replaceWebhookSecrets(await world.target(ref), [])).toBe(true);
    await world.export(world.records(ref, series('a', 0, 1)));
    expect(receiver.calls).toEqual([]);
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      fault: { actor: 'operator', code: 'Webhook.NoSecret' },
    });
  });

  test('arrive up to 100 in a call or 256 KB, and a larger event arrives alone', async () => {
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 1 });
    await world.export(world.records(ref, series('a', 0, 250)));
    expect(callsOf(receiver).map(({ length }) => length)).toEqual([100, 100, 50]);
    receiver.calls.length = 0;
    const filler = (kilobytes: number): string => 'ä'.repeat((kilobytes * 1024) / 2);
    const sizes = [100, 100, 100, 300, 10, 10];
    await world.export(
      world.records(
        ref,
        sizes.map((size, index) => ({ key: 'b', n: index, filler: filler(size) })),
      ),
    );
    await world.deliverParked(ref);
    expect(callsOf(receiver).map((call) => call.map(({ n }) => n))).toEqual([[0, 1], [2], [3], [4, 5]]);
    const bytes = receiver.calls.map(({ text }) => Buffer.byteLength(text));
    expect(bytes.filter((size) => size > 256 * 1024)).toHaveLength(1);
  });

  test('arrive in one call at a time per lane, and lanes in parallel', async () => {
    const underWay = new Set<string>();
    const both = new Promise<void>((resolve) => {
      receiver.behave = async (response, { text }) => {
        const key = /"key":"(\w+)"/.exec(text)?.[1] ?? '';
        // Two calls of a lane at once would be answered 500, and their events come again.
        if (underWay.has(key)) throw new Error('Two calls of a lane at once');
        underWay.add(key);
        if (underWay.size === 2) resolve();
        await both;
        underWay.delete(key);
        response.writeHead(204).end();
      };
    });
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 2 });
    const [a, b] = [keyIn(ref, 0), keyIn(ref, 1)];
    const records = world.records(ref, [...series(a, 0, 300), ...series(b, 0, 300)]);
    await world.export(records);
    expect(Object.fromEntries(numbersByKey(receiver))).toEqual({ [a]: numbers(300), [b]: numbers(300) });
    expect(receiver.calls).toHaveLength(6);
  });
});

/** Answers some calls in this way, and then takes everything. */
const first = (times: number, behave: Behaviour): Behaviour => {
  let left = times;
  return async (response, call, calls) => {
    left -= 1;
    await (left >= 0 ? behave : accepting)(response, call, calls);
  };
};

describe('a receiver that refuses events', () => {
  test.each([
    [400, 'tenant', /secret/],
    [401, 'tenant', /secret/],
    [403, 'tenant', /firewall/],
    [404, 'tenant', /start the receiver/],
    [405, 'tenant', /POST/],
    [410, 'tenant', /refuses all further calls/],
    [413, 'tenant', /256 KB/],
    [301, 'tenant', /Redirects are not followed/],
    [307, 'tenant', /Redirects are not followed/],
    [418, 'tenant', /find out why/],
  ])('gets no more events after status %i until the %s acts', async (status, actor, reason) => {
    receiver.behave = answering(status, { location: `${receiver.origin}/elsewhere` });
    const { ref } = await world.webhookTarget(receiver.url);
    await world.export(world.records(ref, series('a', 0, 2)));
    expect(receiver.calls).toHaveLength(1);
    const target = await world.target(ref);
    expect(target).toMatchObject({ state: 'parked', fault: { actor, code: `Webhook.Http${status}` } });
    expect(target.fault?.reason).toMatch(reason);
    receiver.behave = accepting;
    await world.export(world.records(ref, series('a', 2, 2)));
    await world.drain(ref);
    expect(numbersByKey(receiver).get('a')).toEqual(numbers(4));
    expect(receiver.calls.every(({ path }) => path === '/omi/callback')).toBe(true);
  });

  test('is reported as refusing, not as slow, when one lane is refused and another is slow', async () => {
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 2 });
    const [slow, refused] = [keyIn(ref, 0), keyIn(ref, 1)];
    receiver.behave = async (response, { text }) => {
      if (text.includes(`"key":"${slow}"`)) await wait(1_200);
      response.writeHead(text.includes(`"key":"${refused}"`) ? 404 : 204).end();
    };
    await world.export(world.records(ref, [...series(slow, 0, 1), ...series(refused, 0, 1)]));
    expect(await world.target(ref)).toMatchObject({ state: 'parked', fault: { code: 'Webhook.Http404' } });
  });

  test('gets the same body again before any later one after a refusal in the middle of a batch', async () => {
    receiver.behave = async (response, call, calls) => {
      await answering(calls === 2 || calls === 3 ? 500 : 204)(response, call, calls);
    };
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 1 });
    await world.export(world.records(ref, series('a', 0, 400)));
    await world.deliverParked(ref);
    const starts = callsOf(receiver).map(([event]) => event?.n);
    expect(starts).toEqual([0, 100, 100, 100, 200, 300]);
    const [, one, again] = receiver.calls;
    expect(again?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect((await world.target(ref)).state).toBe('active');
  });

  test.each([429, 503])('is not called before the time that it names with status %i', async (status) => {
    receiver.behave = first(1, answering(status, { 'retry-after': '3' }));
    const { ref } = await world.webhookTarget(receiver.url);
    await world.exportInTime(world.records(ref, series('a', 0, 2)));
    const asked = receiver.calls[0]?.at ?? 0;
    expect((await world.target(ref)).fault).toMatchObject({
      actor: 'nobody',
      code: `Webhook.Http${status}`,
      reason: expect.stringMatching(/no call before/),
    });
    // Neither for new events, also of other lanes, nor for those that wait.
    await world.export(world.records(ref, [...series('a', 2, 1), ...series('b', 0, 1)]));
    await world.redeliver();
    expect(receiver.calls).toHaveLength(1);
    await world.deliverParked(ref);
    expect((receiver.calls[1]?.at ?? 0) - asked).toBeGreaterThanOrEqual(2_990);
    expect(Object.fromEntries(numbersByKey(receiver))).toEqual({ a: numbers(3), b: [0] });
  });
});

describe('events parked for another destination', () => {
  /** Numbers that another serialization would change, and characters that a split could take for JSON's own. */
  const tricky = '{"a":1.0,"b":12345678901234567890,"c":"}],{\\"\\\\"}';

  test('arrive in webhook calls as they were recorded, and delivered ones are not sent again', async () => {
    const { ref } = await world.streamTarget({ lanes: 1 });
    const { sealed } = await world.newSecret(ref);
    await world.deps.targets.transition(await world.target(ref), 'pause', Date.now());
    const records = world.records(ref, series('a', 0, 250));
    for (const { dynamodb } of records) {
      const event = dynamodb?.NewImage?.['event'];
      if (event?.S) event.S = event.S.replace('{"filler":""}', tricky);
    }
    await world.export(records);
    const destination = { kind: 'webhook' as const, url: receiver.url, lanes: 1 };
    await world.deps.targets.register(ref, destination, Date.now(), undefined, [sealed]);
    await world.validate(ref);
    receiver.behave = async (response, call, calls) => {
      await answering(calls === 2 ? 404 : 204)(response, call, calls);
    };
    await world.deliverParked(ref);
    expect(callsOf(receiver).map(([event, ...more]) => [event?.n, more.length + 1])).toEqual([
      [0, 100],
      [100, 100],
      [100, 100],
      [200, 50],
    ]);
    expect(receiver.calls.map(({ text }) => text.split(tricky).length - 1)).toEqual([100, 100, 100, 50]);
  });
});

describe('a receiver that fails', () => {
  const cut: Behaviour = (response) => {
    response.socket?.destroy();
  };

  test('gets the events again when it fails before it answers', async () => {
    receiver.behave = first(2, cut);
    const { ref } = await world.webhookTarget(receiver.url);
    await world.export(world.records(ref, series('a', 0, 2)));
    await world.deliverParked(ref);
    expect(numbersByKey(receiver).get('a')).toEqual(numbers(2));
    expect((await world.target(ref)).state).toBe('active');
  });

  test('gets only the same call again when it fails after it received the events', async () => {
    receiver.behave = cut;
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 1 });
    await world.exportInTime(world.records(ref, series('a', 0, 30)));
    await world.exportInTime(world.records(ref, series('a', 30, 30)));
    await world.redeliver();
    receiver.behave = accepting;
    await world.deliverParked(ref);
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id']);
    const calls = callsOf(receiver);
    expect(new Set(ids).size).toBe(2);
    expect(calls.at(-1)?.map(({ n }) => n)).toEqual(numbers(60).slice(30));
    expect(calls.flat().filter(({ n }) => n >= 30)).toHaveLength(30);
  });

  test('has accepted the events when it fails after its status', async () => {
    receiver.behave = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.socket?.destroy());
    };
    const { ref } = await world.webhookTarget(receiver.url);
    await world.export(world.records(ref, series('a', 0, 2)));
    expect(receiver.calls).toHaveLength(1);
    expect(await world.target(ref)).toMatchObject({ state: 'active', deliveredCount: 2 });
  });

  test('has accepted the events when its answer never ends', async () => {
    receiver.behave = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const write = () => {
        while (response.write(chunk));
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    };
    const { ref } = await world.webhookTarget(receiver.url);
    await world.export(world.records(ref, series('a', 0, 2)), world.records(ref, series('a', 2, 2)));
    expect((await world.target(ref)).deliveredCount).toBe(4);
  });

  test('is called a few times, with pauses of at least 250 ms, when it keeps failing', async () => {
    receiver.behave = answering(500);
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 1 });
    await exportBatch(world.deps, world.records(ref, series('a', 0, 2)), { ...timeBudget, perTarget: 5_000 });
    // The exporter's time has room for so many pauses.
    expect(receiver.calls.length).toBeLessThanOrEqual(1 + 5_000 / 250);
    const times = receiver.calls.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(1);
    // A timer of Node.js may be a millisecond early.
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(249);
  });

  test('gets no call that would have to be cut short when it is slow', async () => {
    receiver.behave = first(1, async (response) => {
      await wait(2_700);
      response.writeHead(204).end();
    });
    const { ref } = await world.webhookTarget(receiver.url, { lanes: 1 });
    await exportBatch(world.deps, world.records(ref, series('a', 0, 200)), {
      ...timeBudget,
      perTarget: 5_000,
    });
    expect(callsOf(receiver).map(([event]) => event?.n)).toEqual([0]);
    await world.deliverParked(ref);
    expect(callsOf(receiver).flat()).toHaveLength(200);
  });

  test('keeps its events waiting until the tenant starts it', async () => {
    const { url } = receiver;
    await receiver.close();
    const { ref } = await world.webhookTarget(url);
    await world.export(world.records(ref, series('a', 0, 2)));
    receiver = await Receiver.start();
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      fault: { actor: 'tenant', code: 'Webhook.ECONNREFUSED', reason: expect.stringMatching(/start it/) },
    });
  });

  test('is marked slow when its answer is late: its events are queued without delaying others', async () => {
    let isSlow = true;
    receiver.behave = async (response) => {
      if (isSlow) await wait(4_000, undefined, { ref: false });
      response.writeHead(204).end();
    };
    const quick = await Receiver.start();
    const slow = await world.webhookTarget(receiver.url);
    const other = await world.webhookTarget(quick.url);
    const budget = { ...timeBudget, perTarget: 3_000 };
    const records = [
      ...world.records(slow.ref, series('a', 0, 1)),
      ...world.records(other.ref, series('a', 0, 1)),
    ];
    await exportBatch(world.deps, records, budget);
    expect(callsOf(quick).flat()).toEqual([{ key: 'a', n: 0 }]);
    expect(await world.target(slow.ref)).toMatchObject({
      state: 'degraded',
      fault: { code: 'Timeout', reason: expect.stringMatching(/receiver did not answer in time/) },
    });
    const calls = receiver.calls.length;
    await world.export(world.records(slow.ref, series('a', 1, 1)));
    expect(receiver.calls).toHaveLength(calls);
    isSlow = false;
    await world.deliverParked(slow.ref);
    expect(numbersByKey(receiver).get('a')).toEqual([0, 1]);
    await quick.close();
  });
});
