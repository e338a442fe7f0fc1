import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openCheckpoint } from '#consumer';
import { recordCheckpoints } from '../../../../core/export/log/record-checkpoints.ts';
import { servedCheckpoint } from '../../../../core/export/log/served-checkpoint.ts';
import { hours, minutes, seconds } from '../../../../core/kernel/time.ts';
import { parseJson } from '../../../../core/kernel/json.ts';
import { baseUrl, LogWorld, newLogKey } from '../../../support/log-world.ts';
import { storedIn } from '../../../support/stored-events.ts';

let shared: LogWorld;
let world: LogWorld;
let signing: ReturnType<typeof newLogKey>;
beforeAll(async () => {
  shared = await LogWorld.start();
});
beforeEach(() => {
  world = shared.another();
  signing = newLogKey();
});

const start = Date.UTC(2026, 2, 1, 9);
const over = start + minutes + 20 * seconds;
const nextHour = start + hours;

const deps = (url = baseUrl) => ({
  checkpoints: { logs: world.logs, key: signing.key, baseUrl: url },
  ...{ grown: world.grown, events: world.events, producer: { instanceId: 'close-minutes', version: '1' } },
});

async function served(url = baseUrl) {
  return await servedCheckpoint(deps(url).checkpoints, world.ref());
}

const recorded = async () =>
  (await storedIn(world.client, `log#${world.tenantId}#log-public`)).map(
    (text) =>
      parseJson(text) as { metadata: { type: string; eventId: string }; payload: Record<string, unknown> },
  );

describe('the checkpoint', () => {
  test('the checkpoint of a log without events is that of the empty tree', async () => {
    const { signed } = await served();
    const trust = { ...world.ref(), baseUrl, keys: { keys: [signing.published] } };
    expect(openCheckpoint(signed.text, trust)).toMatchObject({ size: 0 });
    await world.accept([world.event()], start);
    await world.close(over);
    expect((await served()).signed.size).toBe(1);
  });

  test('is signed once for each size of the log', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    const first = await served();
    expect((await served()).signed).toEqual(first.signed);
    expect(signing.signatures()).toBe(1);
    await world.accept([world.event()], start + minutes);
    await world.close(over + minutes);
    expect((await served()).signed.size).toBe(2);
    expect(signing.signatures()).toBe(2);
  });

  test('is signed anew after a change of the base URL, of which the log has its name', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    await served();
    const { signed } = await served('https://new.omi.example');
    expect(signed.text).toMatch(/^new\.omi\.example\//u);
    expect((await served('https://new.omi.example')).signed).toEqual(signed);
  });

  test('never goes back if a later one was signed meanwhile', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    const before = await world.logs.head(world.ref());
    await world.accept([world.event()], start + minutes);
    await world.close(over + minutes);
    const { signed } = await served();
    expect(await world.logs.keepSigned(before, { size: 1, text: 'late' })).toEqual(signed);
  });

  test('is the same for all who ask for a new one at once', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    const all = await Promise.all(Array.from({ length: 5 }, async () => await served()));
    expect(new Set(all.map(({ signed }) => signed.text)).size).toBe(1);
    expect((await served()).signed).toEqual(all[0]?.signed);
  });
});

describe('each hour', () => {
  test('the checkpoint of a log that has grown is recorded once as an event for its tenant', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    await world.accept([world.event()], start + minutes);
    await world.close(over + minutes);
    const { signed } = await served();
    await recordCheckpoints(deps(), nextHour - 1);
    expect(await recorded()).toEqual([]);
    await recordCheckpoints(deps(), nextHour);
    await recordCheckpoints(deps(), nextHour + minutes);
    const [event, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(event?.metadata.type).toBe('CheckpointEvent');
    const [origin, , root] = signed.text.split('\n');
    expect(event?.payload).toEqual({ category: 'public', origin, size: 2, root, checkpoint: signed.text });
  });

  test('nothing is recorded of a log that has not grown', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    await served();
    await recordCheckpoints(deps(), nextHour);
    await recordCheckpoints(deps(), nextHour + hours);
    expect(await recorded()).toHaveLength(1);
  });

  test('what failed is repeated, with the same event', async () => {
    await world.accept([world.event()], start);
    await world.close(over);
    await served();
    const grown = {
      before: async (hour: string) => await world.grown.before(hour),
      remove: async () => await Promise.reject(new Error('killed')),
    };
    await expect(recordCheckpoints({ ...deps(), grown }, nextHour)).rejects.toThrow('not recorded');
    await recordCheckpoints(deps(), nextHour + minutes);
    expect(await recorded()).toHaveLength(1);
    expect((await world.grown.before('9')).filter(({ ref }) => ref.tenantId === world.tenantId)).toEqual([]);
  });
});
