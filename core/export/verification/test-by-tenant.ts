import type { TargetRef } from '../../events/target-ref.ts';
import type { RequestLimitStore } from '../targets/request-limit-store.ts';
import { requireDestination, requireExport } from '../targets/steer-target.ts';
import type { Target } from '../targets/target.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { testEventFor } from './test-event.ts';
import { requestTest, type TestRequestDeps } from './request-test.ts';

export type TenantTestDeps = TestRequestDeps & {
  targets: Pick<TargetStore, 'find'>;
  limits: Pick<RequestLimitStore, 'count'>;
};

/** What a tenant may say of a test: the text that the owner of the bucket read, and the type of an event to send. */
export type TenantTest = TargetRef & { proof?: string | undefined; type?: string | undefined };

/**
 * A tenant asks for a test of its own export.
 *
 * @returns the target, whose `lastTest` waits
 * @throws {Refusal}
 */
export async function testByTenant(
  deps: TenantTestDeps,
  { proof, type, ...ref }: TenantTest,
  now: number,
): Promise<Target> {
  const target = await requireExport(deps.targets, ref);
  const event = type === undefined ? undefined : testEventFor(target, type);
  await deps.limits.count(ref, 'tests', now);
  return requireDestination(await requestTest(deps, { ...ref, proof, event }, now));
}
