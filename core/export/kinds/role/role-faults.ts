import {
  faultOf,
  messageOf,
  nameOf,
  ofOperator,
  ofTenant,
  type Known,
} from '../../delivery/delivery-faults.ts';
import type { Fault } from '../../targets/target.ts';

/** STS gave no credentials; `cause` says why. */
export class CredentialsUnavailable extends Error {
  override readonly name = 'CredentialsUnavailable';
}

const ofRoles: Known = {
  AccessDenied: ofTenant(
    "The role cannot be assumed: it does not exist, or its trust policy does not allow the service's role with the external id. The tenant must create the role, or correct its trust policy.",
  ),
  RegionDisabledException: ofTenant(
    "STS is not activated in this region for the role's account. The tenant must activate it in the account settings of IAM.",
  ),
  ValidationError: ofOperator(
    "STS rejects the call. The operator must register the target again with the role's ARN and the external id that the tenant gave.",
  ),
  MalformedPolicyDocument: ofOperator(
    "STS rejects the session policy. The operator must register the target again with the stream's ARN, or correct the service.",
  ),
  PackedPolicyTooLarge: ofOperator(
    'The session policy is too large for STS. The operator must correct the service.',
  ),
};

export const roleFault = ({ cause }: CredentialsUnavailable): Fault =>
  faultOf(ofRoles, nameOf(cause), messageOf(cause));

/** The temporary credentials have ended, or are unknown. New ones may work. */
const staleCredentials = new Set([
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
]);

export const hasStaleCredentials = (error: unknown): boolean => staleCredentials.has(nameOf(error));

/** Permission denied, or the role was recreated since the session was opened. */
export const isDenied = (error: unknown): boolean => nameOf(error) === 'AccessDeniedException';
