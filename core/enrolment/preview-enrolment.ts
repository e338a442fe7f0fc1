import { rfc3339 } from '../kernel/time.ts';
import { codeUsed, findEnrolment, type FindEnrolmentDeps } from './find-enrolment.ts';

/**
 * Whose account a code is for, so that the app can say so before the user does anything. The code stays usable.
 *
 * @throws {Refusal} `enrolment-not-found`, `enrolment-code-used`, `enrolment-code-expired`
 */
export async function previewEnrolment(deps: FindEnrolmentDeps, code: string, now: number) {
  const enrolment = await findEnrolment(deps, code, now);
  if (enrolment.completed) throw codeUsed();
  const account = enrolment.accountLabel ?? (await deps.devices.findAccountLabel(enrolment));
  return {
    tenant: enrolment.tenantName,
    ...(account !== undefined && { account }),
    expiresAt: rfc3339(enrolment.expiresAt),
    userVerification: enrolment.userVerification ?? 'off',
  };
}
