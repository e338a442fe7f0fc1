import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ProvisioningQueue } from '../../core/export/provisioning/provisioning-queue.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeTarget, type TargetRef } from '../../core/events/target-ref.ts';
import { refOfKey } from '../../core/export/targets/target-item.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Deps = { queue: ProvisioningQueue };

type Image = Record<string, AttributeValue> | undefined;
type Request = TargetRef & { sequenceNumber: string };

const isBucket = (image: Image): boolean => image?.['destination']?.M?.['kind']?.S === 'bucket';

/**
 * Whether a change of a target's item can mean another delivery stream. Every export writes counters into it, and
 * provisioning itself its fault: neither may bring another step, or they would bring each other for ever.
 */
function concernsDeliveryStream(before: Image, after: Image): boolean {
  if (!isBucket(before) && !isBucket(after)) return false;
  if (!before || !after) return true;
  if (!isDeepStrictEqual(before['destination'], after['destination'])) return true;
  if (after['provisionedAt']) return false;
  // It was taken back, or the target was registered again while it is still in validation.
  return before['provisionedAt'] !== undefined || before['stateSince']?.N !== after['stateSince']?.N;
}

function readRecord({ dynamodb }: DynamoDBRecord): Request[] {
  const { Keys: keys = {}, OldImage, NewImage, SequenceNumber: sequenceNumber = '' } = dynamodb ?? {};
  if (!concernsDeliveryStream(OldImage, NewImage)) return [];
  const ref = refOfKey({ pk: keys['pk']?.S, sk: keys['sk']?.S });
  if (ref) return [{ ...ref, sequenceNumber }];
  // It would come again for ever, with everything behind it.
  logger.error('unreadable', { sequenceNumber });
  return [];
}

/** Has the delivery stream of every target looked at whose destination changed. */
export const createHandler =
  ({ queue }: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    const requests = Records.flatMap(readRecord);
    // Whatever the last change is, the step reads the target as it is then. Of several, the first is named as failed.
    const each = [...new Map(requests.toReversed().map((one) => [describeTarget(one), one])).values()];
    const failed = await queue.request(each);
    const outcome = { requested: each.length - failed.length, failed: failed.length };
    if (failed.length > 0) logger.error('not requested', outcome);
    else if (each.length > 0) logger.info('requested', outcome);
    return failures(failed.map(({ sequenceNumber }) => sequenceNumber));
  };
