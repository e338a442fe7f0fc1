import { expect, test } from '@jest/globals';
import { type Fault, withFault } from '../../../tools/local/client/local-stack.ts';
import { strikes } from './faults.ts';
import { newKeys, recordRounds } from './recorded.ts';
import type { Scene } from './scene.ts';

type BucketFault = Pick<Fault, 'fault' | 'ratio'>;

const faults: [string, BucketFault][] = [
  ['takes half of the records of a call', { fault: 'partial', ratio: 0.5 }],
  ['throttles two calls in three', { fault: 'throttle', ratio: 2 / 3 }],
  ['takes records and often does not answer', { fault: 'timeout-after', ratio: 1 / 2 }],
];

export function degradedBuckets(scene: Scene): void {
  test.each(faults)('loses nothing if it %s', async (_name, fault) => {
    const { file } = scene.stack;
    const subject = await scene.newBucket();
    const resource = subject.destination.deliveryStreamName;
    const struck = { service: 'firehose', operation: 'PutRecordBatch', resource, ...fault } as const;
    await withFault(file, struck, async () => {
      const [recorded] = await Promise.all([recordRounds(subject, newKeys(8), 4), scene.neighbourIsWell()]);
      await subject.arrivals.include(recorded);
      expect(await strikes(file)).toBeGreaterThan(0);
    });
    await scene.isWell(subject);
  });
}
