import { DeleteDeliveryStreamCommand, FirehoseClient } from '@aws-sdk/client-firehose';
import { expect, test } from '@jest/globals';
import { describeTargetStatus } from '../../../core/export/targets/target-status.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { Arrivals } from './arrivals.ts';
import { countsAddUp } from './counts.ts';
import { idsOf, joined, newKeys, recordRounds } from './recorded.ts';
import { refOf, type Scene } from './scene.ts';

async function deleteDeliveryStream(
  { stack }: Scene,
  { deliveryStreamName: DeliveryStreamName }: BucketDestination,
): Promise<void> {
  await using(new FirehoseClient(accessAs('OPERATOR', stack.file.aws, 'firehose')), async (client) => {
    await client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName }));
  });
}

export function brokenBuckets(scene: Scene): void {
  test('gets a new delivery stream if the first is deleted, and reports what may be lost', async () => {
    const subject = await scene.newBucket();
    const ref = refOf(subject);
    const unbroken = await scene.register.find(ref);
    const keys = newKeys(6);
    const before = await recordRounds(subject, keys, 1);
    await subject.arrivals.include(before);

    await deleteDeliveryStream(scene, subject.destination);
    const parked = await recordRounds(subject, keys, 3);
    const { givenUp } = await scene.register.becomes(
      ref,
      'short of events',
      (target) => target.givenUp !== undefined,
    );
    // At least: one whose answer came too late was sent again, and counts twice.
    expect(givenUp).toMatchObject([{ cause: 'deleted', events: expect.any(Number) as unknown }]);
    expect(givenUp?.[0]?.events).toBeGreaterThanOrEqual(idsOf(before).length);
    await scene.neighbourIsWell();

    const recorded = joined(before, parked, await recordRounds(subject, keys, 1));
    await subject.arrivals.include(recorded);
    await countsAddUp(scene, ref, unbroken, recorded);
  });

  test('reports a deleted bucket, waits for a new proof of ownership, and then gets all events that Firehose held', async () => {
    const subject = await scene.newBucket();
    const ref = refOf(subject);
    const { account } = scene.account;
    const { bucket } = subject.destination;
    const keys = newKeys(6);
    const before = await scene.register.find(ref);
    await scene.account.deleteBucket(subject.destination);
    const taken = await recordRounds(subject, keys, 3);
    const { bucketTrouble } = await scene.register.reaches(ref, 'validating');
    expect(bucketTrouble).toMatchObject({ actor: 'tenant', code: 'Firehose.S3.NoSuchBucket' });
    const { fault } = await scene.register.becomes(
      ref,
      'tested',
      (target) => target.fault?.code === 'Verification.BucketMissing',
    );
    expect(fault).toMatchObject({ actor: 'tenant' });
    const { lostCount = 0 } = before;
    const missing = describeTargetStatus(await scene.register.find(ref), Date.now());
    expect(missing.accepted - before.acceptedCount).toBeGreaterThanOrEqual(idsOf(taken).length);
    // What came shortly before the error is not known to be there.
    expect(missing.inBucket).toBeLessThanOrEqual(before.deliveredCount - lostCount);
    await scene.neighbourIsWell();

    await scene.account.makeBucket(ref, { account, bucket });
    await scene.register.prove(ref);
    const arrivals = scene.watch(Arrivals.ofBucket(scene.stack.file, subject.destination));
    await arrivals.include(joined(taken, await recordRounds(subject, keys, 1)));
    const target = await scene.isWell(subject);
    expect(target.bucketTrouble).toBeUndefined();
    await scene.register.becomes(ref, 'known to be complete', (found) => {
      const { accepted, inBucket } = describeTargetStatus(found, Date.now());
      return inBucket === accepted - lostCount;
    });
  });
}
