import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { pack, type PackedRecord } from '../../../../../core/export/delivery/packing.ts';
import { ExportWorld } from '../../../../support/export-world.ts';
import { trustPolicyOf } from '../../../../support/trust-policy.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

/** So many times an event of each of ten keys, in a record of each lane. */
const recordsOf = (rounds: number, lanes: number) =>
  Array.from({ length: rounds }, (_, round) => {
    const events = Array.from({ length: 10 }, (__, key) => ({
      orderingKey: String(key),
      event: JSON.stringify({ metadata: { key: String(key), n: 10 * round + key } }),
    }));
    return pack(events, { lanes, lineEnd: '' }).records;
  }).flat();

const deliver = async (ref: TargetRef, records: PackedRecord[], deadline: number) =>
  await world.deps.writers.stream.deliver(await world.target(ref), records, deadline);

describe('a stream writer', () => {
  test('puts at most one record of a lane into a call', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 2 });
    const records = recordsOf(2, 2);
    const mostOfALane = Math.max(
      ...[...Map.groupBy(records, ({ lane }) => lane).values()].map((its) => its.length),
    );
    expect(mostOfALane).toBeGreaterThan(1);
    const { undelivered } = await deliver(ref, records, Date.now() + 20_000);
    expect(undelivered).toEqual([]);

    const calls = world.cloud.calls.list().filter(({ operation }) => operation === 'PutRecords');
    expect(calls.filter(({ resources }) => resources.includes(name))).toHaveLength(mostOfALane);
  });

  test('retries a failed record before those behind it', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 2 });
    world.cloud.faults.add({ service: 'kinesis', fault: 'partial', ratio: 0.5, resource: name, times: 5 });
    await deliver(ref, recordsOf(3, 2), Date.now() + 20_000);
    const consumed = await world.consumed(name);
    for (let key = 0; key < 10; key += 1) {
      expect(consumed.filter((event) => event.key === String(key)).map(({ n }) => n)).toEqual([
        key,
        key + 10,
        key + 20,
      ]);
    }
  });

  test('returns, in order, what it had no time for', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 2 });
    // So that there are credentials, and every call of what follows gets its answer.
    await deliver(ref, recordsOf(1, 1), Date.now() + 20_000);
    world.cloud.faults.add({ service: 'kinesis', fault: 'throttle', resource: name });
    const records = recordsOf(2, 2);
    const { undelivered, fault } = await deliver(ref, records, Date.now() + 3_000);
    expect(undelivered).toEqual(records);
    expect(fault).toMatchObject({ actor: 'nobody', code: 'ProvisionedThroughputExceededException' });
  });

  test('does not exceed its time when STS hangs', async () => {
    const { ref, name } = await world.streamTarget();
    // It never answers: that there is a result at all shows that nobody waited for it.
    world.cloud.faults.add({ service: 'sts', fault: 'timeout-after', resource: ref.tenantId });
    const records = recordsOf(1, 1);
    const { undelivered, fault } = await deliver(ref, records, Date.now() + 200);
    expect(undelivered).toEqual(records);
    expect(fault?.code).toBe('Timeout');
    expect(world.callsOf('PutRecords', name)).toBe(0);
  });

  test('opens a new session when the role was recreated, and otherwise accepts one refusal as final', async () => {
    const { ref, name, destination } = await world.streamTarget();
    const { roleArn: arn, externalId } = destination;
    const records = recordsOf(1, 1);
    const deliverAgain = async () => await deliver(ref, records, Date.now() + 20_000);
    await deliverAgain();
    world.cloud.roles.remove(arn);
    world.cloud.roles.put({ arn, trustPolicy: trustPolicyOf({ principal: '000000000000', externalId }) });
    expect((await deliverAgain()).undelivered).toEqual([]);
    expect(world.callsOf('AssumeRole', arn)).toBe(2);

    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: name });
    const { fault } = await deliverAgain();
    expect(fault).toMatchObject({ actor: 'tenant', code: 'AccessDeniedException' });
    expect(world.callsOf('AssumeRole', arn)).toBe(3);
  });
});
