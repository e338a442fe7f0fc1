import { categories, type TargetRef } from '../../events/target-ref.ts';

/** The tenant and category at the end of a key, whose parts `#` separates. */
export function refIn([tenantId, name]: readonly string[]): TargetRef | undefined {
  const category = categories.find((one) => one === name);
  return tenantId === undefined || category === undefined ? undefined : { tenantId, category };
}
