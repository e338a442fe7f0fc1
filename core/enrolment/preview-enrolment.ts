import { labelWith } from './enrolment.ts';
import { rfc3339 } from '../kernel/time.ts';
import { brandView } from '../tenants/brand.ts';
import type { BrandStore } from '../tenants/brand-store.ts';
import { codeUsed, findEnrolment, type FindEnrolmentDeps } from './find-enrolment.ts';

export type PreviewDeps = FindEnrolmentDeps & { brands: Pick<BrandStore, 'find'>; baseUrl: string };

/**
 * Whose account a code is for, so that the app can say so before the user does anything. The code stays usable.
 *
 * @throws {Refusal} `enrolment-not-found`, `enrolment-code-used`, `enrolment-code-expired`
 */
export async function previewEnrolment(deps: PreviewDeps, code: string, now: number) {
  const enrolment = await findEnrolment(deps, code, now);
  if (enrolment.completed) throw codeUsed();
  const [history, tenant] = await Promise.all([
    deps.devices.findHistory(enrolment),
    deps.brands.find(enrolment.tenantId),
  ]);
  const { accountLabel: account } = labelWith(enrolment, history);
  return {
    tenant: enrolment.tenantName,
    ...(account !== undefined && { account }),
    ...(tenant?.brand && { brand: brandView(tenant, deps.baseUrl) }),
    expiresAt: rfc3339(enrolment.expiresAt),
    userVerification: enrolment.userVerification ?? 'off',
  };
}
