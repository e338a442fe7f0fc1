import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Destination } from './target.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { updateIf, type ConditionalUpdate } from '../../aws/conditional-writer.ts';

export type Registration = {
  ref: TargetRef;
  destination: Destination;
  /** Milliseconds since 1970. */
  now: number;
  types: string[] | undefined;
};

type Case = Pick<ConditionalUpdate, 'condition' | 'values'> & { set: string[]; remove: string[] };

/** A target that is new, or gets another destination: nothing that was proven of the old one holds. */
const changed = ({ ref, destination, now }: Registration): Case => ({
  condition: 'attribute_not_exists(destination) OR destination <> :destination',
  set: [
    'tenantId = :tenantId',
    'category = :category',
    'destination = :destination',
    '#state = :state',
    'stateSince = :now',
    'parkedCount = if_not_exists(parkedCount, :zero)',
    'parkedThrough = if_not_exists(parkedThrough, :none)',
    'drainedThrough = if_not_exists(drainedThrough, :none)',
    'waitingSince = if_not_exists(waitingSince, :none)',
  ],
  remove: ['fault', 'verifiedAt', 'ownership', 'provisionedAt', 'warning'],
  values: {
    tenantId: ref.tenantId,
    category: ref.category,
    state: destination.kind === 'none' ? 'active' : 'validating',
    now,
    zero: 0,
    none: {},
  },
});

/** The same destination, still in validation: its new time shows that it is to be tried again. */
const tried = ({ now }: Registration): Case => ({
  condition: 'destination = :destination AND #state = :validating',
  set: ['stateSince = :now'],
  remove: ['fault'],
  values: { now, validating: 'validating' },
});

/** The same destination, which goes on as it does. */
const unchanged = ({ ref }: Registration): Case => ({
  condition: 'destination = :destination AND NOT #state = :validating',
  set: ['category = :category'],
  remove: [],
  values: { category: ref.category, validating: 'validating' },
});

/** Registers a destination by the one of three conditional writes that fits what is there. */
export async function registerTarget(
  client: DynamoDBDocumentClient,
  item: Pick<ConditionalUpdate, 'table' | 'key'>,
  registration: Registration,
): Promise<void> {
  for (const { condition, set, remove, values } of [changed, tried, unchanged].map((one) =>
    one(registration),
  )) {
    const { destination, types } = registration;
    const sets = types ? [...set, '#types = :types'] : set;
    const removes = types ? remove : [...remove, '#types'];
    const { applied } = await updateIf(client, {
      ...item,
      update: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
      condition,
      names: { '#state': 'state', '#types': 'types' },
      values: { ...values, destination, ...(types && { types }) },
    });
    if (applied) return;
  }
  // Somebody else wrote between these; one of them fits what is there now.
  await registerTarget(client, item, registration);
}
