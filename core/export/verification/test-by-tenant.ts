import type { TargetRef } from '../../events/target-ref.ts';
import type { RequestLimitStore } from '../targets/request-limit-store.ts';
import { requireDestination, requireExport } from '../targets/steer-target.ts';
import type { Target } from '../targets/target.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { requestTest, type TestRequestDeps } from './request-test.ts';

export type TenantTestDeps = TestRequestDeps & {
  targets: Pick<TargetStore, 'find'>;
  limits: Pick<RequestLimitStore, 'count'>;
};

/**
 * A tenant asks for a test of its own export.
 *
 * @param proof the text that the owner of the bucket read
 * @returns the target, whose `lastTest` waits
 * @throws {Refusal}
 */
export async function testByTenant(
  deps: TenantTestDeps,
  { proof, ...ref }: TargetRef & { proof?: string | undefined },
  now: number,
): Promise<Target> {
  await requireExport(deps.targets, ref);
  await deps.limits.count(ref, 'tests', now);
  return requireDestination(await requestTest(deps, { ...ref, proof }, now));
}
