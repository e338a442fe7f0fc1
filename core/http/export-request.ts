import * as v from 'valibot';
import { categories } from '../events/target-ref.ts';
import { timestamp } from '../kernel/timestamp.ts';

/** Paths and bodies of the requests by which tenants steer their export. */

export const exportPath = v.object({
  category: v.picklist(categories, `expected ${categories.join(' or ')}`),
});

export const replayPath = v.object({ ...exportPath.entries, replayId: v.string() });

/** A request that has nothing to say besides its path. */
export const noMembers = v.strictObject({});

/** The text in the bucket has 32 characters. */
export const testBody = v.strictObject({
  proof: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty('expected the text of the object'),
      v.maxLength(256, 'expected at most 256 characters'),
    ),
  ),
});

const type = v.pipe(
  v.string(),
  v.nonEmpty('expected a type'),
  v.maxLength(128, 'expected at most 128 characters'),
);

export const replayBody = v.strictObject({
  from: timestamp,
  to: timestamp,
  types: v.optional(
    v.pipe(
      v.array(type, 'expected a list of types'),
      v.minLength(1, 'expected at least one type'),
      v.maxLength(100, 'expected at most 100 types'),
    ),
  ),
});
