import { setTimeout as wait } from 'node:timers/promises';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { RateLimiter } from '../../../core/aws/rate-limiter.ts';
import { DeliveryStreamChanged } from '../../../core/export/kinds/bucket/provisioning/provisioning-faults.ts';
import { DeliveryStreamClient } from '../../../core/export/kinds/bucket/provisioning/delivery-stream-client.ts';
import { wantedDeliveryStream } from '../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { buffering, deliveryStreamPrefix } from '../resources/exports.ts';
import { accessAs, type Aws, using } from './aws-access.ts';

const retryMs = 50;
const longestDeletionMs = 10_000;

/**
 * Creates the delivery stream that provisioning would create, by the same code. Provisioning limits the rate of its calls for
 * accounts with many tenants; this way the start need not wait for it.
 *
 * An existing stream, from an interrupted start, stays as it is. A stream that is being deleted keeps its name for some
 * time.
 */
export async function ensureDeliveryStream(
  aws: Aws,
  { tenantId, category }: TargetRef,
  destination: BucketDestination,
): Promise<void> {
  const { deliveryStreamName: name } = destination;
  const wanted = wantedDeliveryStream(destination, category, {
    prefix: deliveryStreamPrefix,
    buffering,
  });
  const end = Date.now() + longestDeletionMs;
  await using(new FirehoseClient(accessAs('SEED', aws, 'firehose')), async (client) => {
    const streams = new DeliveryStreamClient(client, new RateLimiter(0));
    while (!(await exists(streams, name, async () => await streams.create(name, tenantId, wanted)))) {
      if (Date.now() > end) throw new Error(`The delivery stream ${name} is still being deleted`);
      await wait(retryMs);
    }
  });
}

async function exists(
  streams: DeliveryStreamClient,
  name: string,
  create: () => Promise<void>,
): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (!(error instanceof DeliveryStreamChanged)) throw error;
    const found = await streams.describe(name);
    return found !== undefined && found.status !== 'DELETING';
  }
}
