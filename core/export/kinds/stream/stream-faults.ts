import {
  faultOf,
  messageOf,
  nameOf,
  ofOperator,
  ofTenant,
  type Known,
} from '../../delivery/delivery-faults.ts';
import type { Fault } from '../../targets/target.ts';
import { CredentialsUnavailable, roleFault } from '../role/role-faults.ts';

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
    "Kinesis rejects the records. The operator must compare the stream's record limit with the records, and correct the service.",
  ),
  ValidationException: ofOperator(
    'Kinesis rejects the call. The operator must check how the target is registered, and correct the service.',
  ),
};

/** The fault of one record or of a call, by the code of Kinesis. */
export const streamFault = (code: string, message = ''): Fault => faultOf(ofStreams, code, message);

export const explainStreamError = (error: unknown): Fault =>
  error instanceof CredentialsUnavailable ? roleFault(error) : streamFault(nameOf(error), messageOf(error));
