import { vendorMessage } from '../targets/vendor-message.ts';
import { slowCodes, type Fault } from '../targets/target.ts';
import { CredentialsUnavailable } from './assumed-role-client.ts';

/** By the error's code: what is wrong, whose action is required, and which. All other errors pass by themselves. */
type Known = Record<string, Pick<Fault, 'actor' | 'reason'>>;

const ofTenant = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({ actor: 'tenant', reason });
const ofOperator = (reason: string): Pick<Fault, 'actor' | 'reason'> => ({ actor: 'operator', reason });

const ofStreams: Known = {
  AccessDeniedException: ofTenant(
    "The role may not write to the stream, or may not use the stream's key. The tenant must allow the role kinesis:PutRecords on the stream and, for a customer-managed key, kms:GenerateDataKey on the key.",
  ),
  ResourceNotFoundException: ofTenant(
    'The stream does not exist. The tenant must create it again, or tell the operator which stream to use.',
  ),
  KMSAccessDeniedException: ofTenant(
    "The role may not use the key that encrypts the stream. The tenant must allow it kms:GenerateDataKey in the key's policy.",
  ),
  KMSDisabledException: ofTenant(
    'The key that encrypts the stream is disabled. The tenant must enable it, or choose another key for the stream.',
  ),
  KMSInvalidStateException: ofTenant(
    'The key that encrypts the stream is in a state in which it cannot encrypt. The tenant must cancel its deletion, or choose another key for the stream.',
  ),
  KMSNotFoundException: ofTenant(
    'The key that encrypts the stream does not exist. The tenant must choose another key for the stream.',
  ),
  KMSOptInRequired: ofTenant(
    "The stream's account may not use KMS. The tenant must subscribe the account to KMS, or encrypt the stream with another key.",
  ),
  InvalidArgumentException: ofOperator(
    "Kinesis does not accept the records. The operator must compare the stream's record limit with the records, and correct the service.",
  ),
  ValidationException: ofOperator(
    'Kinesis does not accept the call. The operator must check how the target is registered, and correct the service.',
  ),
};

const ofRoles: Known = {
  AccessDenied: ofTenant(
    "The role cannot be assumed: it does not exist, or its trust policy does not let the service's role in with the external id. The tenant must create the role, or correct its trust policy.",
  ),
  RegionDisabledException: ofTenant(
    "STS is not activated in this region for the role's account. The tenant must activate it in the account settings of IAM.",
  ),
  ValidationError: ofOperator(
    "STS does not accept the call. The operator must register the target again with the role's ARN and the external id that the tenant gave.",
  ),
  MalformedPolicyDocument: ofOperator(
    "STS does not accept the session policy. The operator must register the target again with the stream's ARN, or correct the service.",
  ),
  PackedPolicyTooLarge: ofOperator(
    'The session policy is too large for STS. The operator must correct the service.',
  ),
};

/** Firehose's code if a delivery stream is gone. */
export const goneCode = 'ResourceNotFoundException';

const ofDeliveryStreams: Known = {
  AccessDeniedException: ofOperator(
    "The service may not write to its own delivery stream. The operator must allow the service's roles firehose:PutRecordBatch on it, as the stack does: deploy the stack again.",
  ),
  [goneCode]: {
    actor: 'nobody',
    reason:
      'The delivery stream does not exist, or is not active yet. The service creates it again. Nobody needs to act.',
  },
  InvalidKMSResourceException: ofOperator(
    "The delivery stream's key cannot be used. The operator must enable the key, and allow the service to use it.",
  ),
  InvalidSourceException: ofOperator(
    'The delivery stream takes no records from the service. The operator must delete it, and register the target again, which creates it again.',
  ),
  InvalidArgumentException: ofOperator(
    'Firehose does not accept the records. The operator must correct the service.',
  ),
  ValidationException: ofOperator(
    'Firehose does not accept the call. The operator must check how the target is registered, and correct the service.',
  ),
};

const passing: Pick<Fault, 'actor' | 'reason'> = {
  actor: 'nobody',
  reason:
    'The target is throttled or unavailable. Nobody needs to act: the events are sent again, less often each time.',
};

/** The fault of a target that takes everything, but slowly. */
export const slowTarget: Fault = {
  actor: 'nobody',
  code: slowCodes.slow,
  reason:
    "The target takes more than a second for a call. Nobody needs to act: its events are sent through the queue, where they do not delay other tenants' events, until it is quick again.",
};

function faultOf(known: Known, code: string, message: string): Fault {
  const { actor, reason } = known[code] ?? passing;
  return { actor, code, reason: `${reason}${vendorMessage(message)}` };
}

/** AWS's errors have names; those of the network have codes. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The fault of one record or of a call, by the code of Kinesis. */
export const streamFault = (code: string, message = ''): Fault => faultOf(ofStreams, code, message);

export const explainStreamError = (error: unknown): Fault =>
  error instanceof CredentialsUnavailable
    ? faultOf(ofRoles, nameOf(error.cause), messageOf(error.cause))
    : streamFault(nameOf(error), messageOf(error));

export const deliveryStreamFault = (code: string, message = ''): Fault =>
  faultOf(ofDeliveryStreams, code, message);

export const explainDeliveryStreamError = (error: unknown): Fault =>
  deliveryStreamFault(nameOf(error), messageOf(error));

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
