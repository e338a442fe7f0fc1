import { expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { until } from '../../support/waiting.ts';
import { recordedCalls } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { beginFault, holdingStream } from './faults.ts';
import { joined, newKeys, recordRounds, type Recorded } from './recorded.ts';
import { type Scene, streamNameOf, type Watched } from './scene.ts';

/** One batch with events of both, by turns. */
async function recordBoth({ stack, neighbour }: Scene, subject: Watched): Promise<[Recorded, Recorded]> {
  const [keys, others] = [newKeys(6), newKeys(6)];
  let [ours, theirs]: [Recorded, Recorded] = [new Map(), new Map()];
  await holdingStream(stack.file, async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      ours = joined(ours, await recordRounds(subject, keys, 1));
      theirs = joined(theirs, await recordRounds(neighbour, others, 1));
    }
  });
  return [ours, theirs];
}

/** Each attempt to write down what failed is three calls. */
async function untilRepeated(stack: TestStack): Promise<void> {
  const written = async (): Promise<number> =>
    (await recordedCalls(stack, 'export-events')).filter(
      ({ operation, resources }) => operation === 'UpdateItem' && resources.includes(localTables.tenants),
    ).length;
  const before = await written();
  await until(async () => (await written()) >= before + 7, 'seven attempts');
}

export function repeatedBatch(scene: Scene): void {
  test('gives others nothing twice if the tables did not answer, and loses nothing', async () => {
    const { stack, neighbour } = scene;
    const subject = await scene.newStream();
    const before = neighbour.arrivals.duplicates;
    // The subject's events cannot be delivered, and that cannot be written down: the batch fails for what is the
    // neighbour's, too.
    const resource = streamNameOf(subject.destination);
    const repair = await beginFault(stack.file, { service: 'kinesis', fault: 'access-denied', resource });
    const busy = { service: 'dynamodb', operation: 'UpdateItem', fault: 'unavailable' } as const;
    const [ours, theirs] = await withFault(
      stack.file,
      { ...busy, resource: localTables.tenants },
      async () => {
        const both = await recordBoth(scene, subject);
        await neighbour.arrivals.include(both[1]);
        await untilRepeated(stack);
        return both;
      },
    );
    await scene.arrived(neighbour, theirs);
    await scene.register.reaches(subject, 'parked');
    await repair();
    const after = await recordRounds(subject, [...ours.keys()], 1);
    await scene.arrived(subject, joined(ours, after));
    await scene.isWell(subject);
    expect(neighbour.arrivals.duplicates).toBe(before);
  });
}
