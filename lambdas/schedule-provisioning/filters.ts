import { bufferedKinds, kinds, kindProperties } from '../../core/export/kinds/records.ts';
import type { FilterPattern } from '../filter-pattern.ts';

/** An item of a table's stream whose destination is of one of these kinds; only targets have one. */
const ofKind = (...kinds: string[]) => ({ destination: { M: { kind: { S: kinds } } } });

const buffered = ofKind(...bufferedKinds);
const others = ofKind(...kinds.filter((kind) => !kindProperties[kind].isBuffered), 'none');

/**
 * The changes of the tenants table that can require another delivery stream. Every export writes counts into its target's
 * item. Once a bucket is provisioned, these changes do not reach the Lambda.
 */
export const filters: readonly FilterPattern[] = [
  { eventName: ['INSERT'], dynamodb: { NewImage: buffered } },
  {
    eventName: ['MODIFY'],
    dynamodb: { NewImage: { ...buffered, provisionedAt: { N: [{ exists: false }] } } },
  },
  { eventName: ['MODIFY'], dynamodb: { OldImage: buffered, NewImage: others } },
  { eventName: ['REMOVE'], dynamodb: { OldImage: buffered } },
];
