import * as v from 'valibot';
import type { Invocation } from '../lambda/function.ts';

const response = v.nullish(
  v.object({
    batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))),
  }),
);

/**
 * Which items of a batch failed, as Lambda reads a function's answer ("Reporting batch item failures" in its guide): all
 * of them if the function failed, or if the answer is malformed or names an item that was not in the batch; none if
 * it names none.
 */
export function failedItems(invocation: Invocation, items: readonly string[]): ReadonlySet<string> {
  const all = new Set(items);
  if ('error' in invocation) return all;
  const { success, output } = v.safeParse(response, invocation.payload);
  if (!success) return all;
  const failed = (output?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((item) => all.has(item)) ? new Set(failed) : all;
}
