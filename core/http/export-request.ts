import * as v from 'valibot';
import { categories } from '../events/target-ref.ts';
import { isObject } from '../kernel/json.ts';
import { timestamp } from '../kernel/timestamp.ts';

/** Paths and bodies of the requests by which tenants steer their export. */

export const exportPath = v.object({
  category: v.picklist(categories, `expected ${categories.join(' or ')}`),
});

export const replayPath = v.object({ ...exportPath.entries, replayId: v.string() });

/** With `true` each export has a sample of each type of event that it gets. */
export const exportsQuery = v.object({
  samples: v.optional(v.picklist(['true', 'false'], 'expected true or false')),
});

/** A request that has nothing to say besides its path. */
export const noMembers = v.strictObject({});

const type = v.pipe(
  v.string(),
  v.nonEmpty('expected a type'),
  v.maxLength(128, 'expected at most 128 characters'),
);

/** The text in the bucket has 32 characters. */
export const testBody = v.strictObject({
  proof: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty('expected the text of the object'),
      v.maxLength(256, 'expected at most 256 characters'),
    ),
  ),
  type: v.optional(type),
});

const eventId = v.pipe(v.string(), v.uuid('expected the id of an event, which is a UUID'));

export const eventPath = v.object({ ...exportPath.entries, eventId });

const rangeBody = v.strictObject({
  from: timestamp,
  to: timestamp,
  types: v.optional(
    v.pipe(
      v.array(type, 'expected a list of types'),
      v.minLength(1, 'expected at least one type'),
      v.maxLength(100, 'expected at most 100 types'),
    ),
  ),
  eventIds: v.optional(
    v.pipe(
      v.array(eventId, 'expected a list of event ids'),
      v.minLength(1, 'expected at least one event id'),
      v.maxLength(100, 'expected at most 100 event ids'),
    ),
  ),
});

const givenUpBody = v.strictObject({ givenUp: v.literal(true, 'expected true') });

/** A range of time, or what the target gave up. */
export const replayBody = v.lazy((body) => (isObject(body) && 'givenUp' in body ? givenUpBody : rangeBody));
