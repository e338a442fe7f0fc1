import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ProvisioningQueue } from '../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeTarget, type TargetRef } from '../../core/events/target-ref.ts';
import { bufferedKinds } from '../../core/export/kinds/records.ts';
import { refOfKey } from '../../core/export/targets/target-item.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Deps = { queue: ProvisioningQueue };

type Image = Record<string, AttributeValue> | undefined;
type Request = TargetRef & { sequenceNumber: string };

const isBuffered = (image: Image): boolean =>
  bufferedKinds.some((kind) => kind === image?.['destination']?.M?.['kind']?.S);

/**
 * True if a change of a target's item can require another delivery stream. Exports write counts into the item, and
 * provisioning writes its fault. Neither may cause another step, or steps would cause each other without end.
 */
function concernsDeliveryStream(before: Image, after: Image): boolean {
  if (!isBuffered(before) && !isBuffered(after)) return false;
  if (!before || !after) return true;
  if (!isDeepStrictEqual(before['destination'], after['destination'])) return true;
  if (after['provisionedAt']) return false;
  // Provisioning was withdrawn, or the target was registered again while it is in validation.
  return before['provisionedAt'] !== undefined || before['stateSince']?.N !== after['stateSince']?.N;
}

function readRecord({ dynamodb }: DynamoDBRecord): Request[] {
  const { Keys: keys = {}, OldImage, NewImage, SequenceNumber: sequenceNumber = '' } = dynamodb ?? {};
  if (!concernsDeliveryStream(OldImage, NewImage)) return [];
  const ref = refOfKey({ pk: keys['pk']?.S, sk: keys['sk']?.S });
  if (ref) return [{ ...ref, sequenceNumber }];
  // As a failure it would come again without end, with everything behind it.
  logger.error('unreadable', { sequenceNumber });
  return [];
}

/** Requests a provisioning step for every target whose destination changed. */
export const createHandler =
  ({ queue }: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    const requests = Records.flatMap(readRecord);
    // A step reads the target as it is then, so one is enough. If it fails, the stream begins again with the first change.
    const each = [...new Map(requests.toReversed().map((one) => [describeTarget(one), one])).values()];
    const failed = await queue.request(each);
    const outcome = { requested: each.length - failed.length, failed: failed.length };
    if (failed.length > 0) logger.error('not requested', outcome);
    else if (each.length > 0) logger.info('requested', outcome);
    return failures(failed.map(({ sequenceNumber }) => sequenceNumber));
  };
