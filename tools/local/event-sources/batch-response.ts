import * as v from 'valibot';
import type { Invocation } from '../lambda/function.ts';

const response = v.nullish(
  v.object({
    batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))),
  }),
);

/**
 * The failed items of a batch, by the rules of "Reporting batch item failures" in Lambda's guide: all items if the function
 * failed, or if its response is malformed or names an item that was not in the batch.
 */
export function failedItems(invocation: Invocation, items: readonly string[]): ReadonlySet<string> {
  const all = new Set(items);
  if ('error' in invocation) return all;
  const { success, output } = v.safeParse(response, invocation.payload);
  if (!success) return all;
  const failed = (output?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => all.has(item)) ? new Set(failed) : all;
}
