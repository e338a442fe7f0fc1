import type { FilterPattern } from '../event-sources.ts';

/** An item of a table's stream whose destination is of one of these kinds; only targets have one. */
const ofKind = (...kinds: string[]) => ({ destination: { M: { kind: { S: kinds } } } });

/**
 * The changes of the tenants table that can require another delivery stream. Every export writes counts into its target's
 * item. Once a bucket is provisioned, these changes do not reach the Lambda.
 */
export const filters: readonly FilterPattern[] = [
  { eventName: ['INSERT'], dynamodb: { NewImage: ofKind('bucket') } },
  {
    eventName: ['MODIFY'],
    dynamodb: { NewImage: { ...ofKind('bucket'), provisionedAt: { N: [{ exists: false }] } } },
  },
  { eventName: ['MODIFY'], dynamodb: { OldImage: ofKind('bucket'), NewImage: ofKind('stream', 'none') } },
  { eventName: ['REMOVE'], dynamodb: { OldImage: ofKind('bucket') } },
];
