import { FirehoseClient } from '@aws-sdk/client-firehose';
import { CallPace } from '../../core/adapters/call-pace.ts';
import { DeliveryStreamChanged } from '../../core/adapters/delivery-stream-errors.ts';
import { DeliveryStreams } from '../../core/adapters/delivery-streams.ts';
import { wantedDeliveryStream } from '../../core/domain/delivery-stream.ts';
import type { BucketDestination, TargetRef } from '../../core/domain/target.ts';
import { BUFFERING } from '../exports.ts';
import { accessAs, type Aws, using } from './aws-access.ts';

/**
 * Makes the delivery stream that provisioning is about to look for, by the same code. Provisioning paces its calls for
 * an account with many tenants, which nobody should wait for at a start: it only finds these as it wants them.
 */
export async function ensureDeliveryStream(
  aws: Aws,
  { tenantId, category }: TargetRef,
  destination: BucketDestination,
): Promise<void> {
  await using(new FirehoseClient(accessAs('SEED', aws, 'firehose')), async (client) => {
    const wanted = wantedDeliveryStream(destination, category, BUFFERING);
    const streams = new DeliveryStreams(client, new CallPace(0));
    await streams.create(destination.deliveryStreamName, tenantId, wanted).catch((error: unknown) => {
      // It is there, from a start that was cut short.
      if (!(error instanceof DeliveryStreamChanged)) throw error;
    });
  });
}
