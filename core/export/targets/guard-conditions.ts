import type { Condition } from '../../aws/conditional-writer.ts';
import { bufferedKinds } from '../kinds/records.ts';
import { isNothingWaiting, isSomethingWaiting, type Expected, type Guard } from './state-machine.ts';

/** The target is in one of these states. */
export const isIn = (from: readonly string[]): Condition => {
  const values = Object.fromEntries(from.map((state, index) => [`from${index}`, state]));
  return {
    condition: `#state IN (:${Object.keys(values).join(', :')})`,
    names: { '#state': 'state' },
    values,
  };
};

/** Never holds: every target has its key. */
const never: Condition = { condition: 'attribute_not_exists(pk)' };

const buffered = Object.fromEntries(bufferedKinds.map((kind, index) => [`buffered${index}`, kind]));

/** The guards of the state machine as conditions of a write. */
export const guardConditions: Record<Guard, (expected: Expected) => Condition> = {
  otherDestination: ({ destination }) => ({
    condition: '(attribute_not_exists(destination) OR destination <> :destination)',
    values: { destination },
  }),
  sameDestination: ({ destination }) => ({
    condition: 'destination = :destination',
    values: { destination },
  }),
  trusted: () => ({ condition: 'attribute_exists(verifiedAt)' }),
  pausedByTenant: () => ({ condition: 'pausedBy = :byTenant', values: { byTenant: 'tenant' } }),
  provisioned: () => ({
    condition: `(NOT destination.kind IN (:${Object.keys(buffered).join(', :')}) OR attribute_exists(provisionedAt))`,
    values: buffered,
  }),
  sound: () => ({ condition: 'attribute_not_exists(testFault)' }),
  drained: (expected) =>
    isNothingWaiting(expected)
      ? { condition: 'parkedThrough = :parkedThrough', values: { parkedThrough: expected.parkedThrough } }
      : never,
  waiting: (expected) =>
    isSomethingWaiting(expected)
      ? {
          condition: 'drainedThrough = :drainedThrough',
          values: { drainedThrough: expected.drainedThrough },
        }
      : never,
  settled: () => ({ condition: 'attribute_not_exists(bucketTrouble)' }),
  busy: (expected) =>
    isSomethingWaiting(expected)
      ? {
          condition: '(attribute_exists(bucketTrouble) OR drainedThrough = :drainedThrough)',
          values: { drainedThrough: expected.drainedThrough },
        }
      : { condition: 'attribute_exists(bucketTrouble)' },
};
