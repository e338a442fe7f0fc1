import { DeleteDeliveryStreamCommand, FirehoseClient } from '@aws-sdk/client-firehose';
import { expect, test } from '@jest/globals';
import type { BucketDestination } from '../../../core/export/targets/target.ts';
import { withFault } from '../../../local/client/local-stack.ts';
import { accessAs, using } from '../../../local/seed/aws-access.ts';
import { ensureDeliveryStream } from '../../../local/seed/delivery-stream.ts';
import { Arrivals } from './arrivals.ts';
import { countsAddUp } from './counts.ts';
import { idsOf, joined, newKeys, recordRounds } from './recorded.ts';
import { LONG_MS, refOf, type Scene } from './scene.ts';

async function deleteDeliveryStream(
  { stack }: Scene,
  { deliveryStreamName: DeliveryStreamName }: BucketDestination,
): Promise<void> {
  await using(new FirehoseClient(accessAs('OPERATOR', stack.file.aws, 'firehose')), async (client) => {
    await client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName }));
  });
}

export function brokenBuckets(scene: Scene): void {
  test(
    'whose delivery stream is gone is the operator’s to fix, and gets everything then',
    async () => {
      const subject = await scene.newBucket();
      const ref = refOf(subject);
      const unbroken = await scene.register.find(ref);
      const keys = newKeys(6);
      const before = await recordRounds(subject, keys, 1);
      await subject.arrivals.include(before);

      await deleteDeliveryStream(scene, subject.destination);
      const parked = await recordRounds(subject, keys, 3);
      const { fault } = await scene.register.reaches(ref, 'parked');
      expect(fault).toMatchObject({ actor: 'operator', code: 'ResourceNotFoundException' });
      await scene.neighbourIsWell();

      await ensureDeliveryStream(scene.stack.file.aws, ref, subject.destination);
      const recorded = joined(before, parked, await recordRounds(subject, keys, 1));
      await subject.arrivals.include(recorded);
      await countsAddUp(scene, ref, unbroken, recorded);
    },
    LONG_MS,
  );

  test(
    'that is gone for a while costs nothing: what Firehose took, Firehose delivers',
    async () => {
      const subject = await scene.newBucket();
      const { account } = scene.account;
      const { bucket } = subject.destination;
      const keys = newKeys(6);
      const unbroken = await scene.register.find(refOf(subject));
      await scene.account.deleteBucket(subject.destination);
      const taken = await recordRounds(subject, keys, 3);
      // Firehose tells nobody that it cannot write: the target has taken everything.
      await countsAddUp(scene, refOf(subject), unbroken, taken);
      await scene.neighbourIsWell();
      await scene.account.makeBucket(refOf(subject), { account, bucket });
      const arrivals = scene.watch(Arrivals.ofBucket(scene.stack.file, subject.destination));
      await arrivals.include(joined(taken, await recordRounds(subject, keys, 1)));
      await scene.isWell(subject);
    },
    LONG_MS,
  );

  test(
    'whose delivery stream is still being created has its events wait until it is there',
    async () => {
      const { source, register, stack } = scene;
      const ref = refOf(source);
      const destination = await scene.account.makeBucket(ref);
      const unbroken = await register.find(ref);
      const busy = { service: 'firehose', operation: 'CreateDeliveryStream', fault: 'throttle' } as const;
      const recorded = await withFault(stack.file, busy, async () => {
        await register.register(ref, destination);
        const events = await recordRounds(source, newKeys(6), 3);
        const { length } = idsOf(events);
        const target = await register.becomes(
          ref,
          `${length} parked`,
          ({ parkedCount }) => parkedCount === length,
        );
        expect(target).toMatchObject({ state: 'validating' });
        await scene.neighbourIsWell();
        return events;
      });
      await scene.watch(Arrivals.ofBucket(stack.file, destination)).include(recorded);
      await countsAddUp(scene, ref, unbroken, recorded);
    },
    LONG_MS,
  );
}
