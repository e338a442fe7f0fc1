import type { Fault } from '../domain/target.ts';
import { CredentialsUnavailable } from './assumed-credentials.ts';

/** By the error's code: who must act, and what is to be done. Everything else passes by itself. */
type Known = Record<string, Pick<Fault, 'actor' | 'reason'>>;

const key = 'The key that encrypts the stream';

const ofStreams: Known = {
  AccessDeniedException: {
    actor: 'tenant',
    reason:
      "The role may not write to the stream, or not use the stream's key: its policy must allow kinesis:PutRecords on the stream and, for a customer-managed key, kms:GenerateDataKey.",
  },
  ResourceNotFoundException: { actor: 'tenant', reason: 'The stream does not exist.' },
  KMSAccessDeniedException: {
    actor: 'tenant',
    reason: `${key} may not be used by the role: the key's policy must allow kms:GenerateDataKey.`,
  },
  KMSDisabledException: { actor: 'tenant', reason: `${key} is disabled.` },
  KMSInvalidStateException: {
    actor: 'tenant',
    reason: `${key} is in a state in which it encrypts nothing.`,
  },
  KMSNotFoundException: { actor: 'tenant', reason: `${key} does not exist.` },
  KMSOptInRequired: { actor: 'tenant', reason: "The stream's account is not subscribed to KMS." },
  InvalidArgumentException: { actor: 'operator', reason: 'Kinesis does not accept the records.' },
  ValidationException: { actor: 'operator', reason: 'Kinesis does not accept the call.' },
};

const ofRoles: Known = {
  AccessDenied: {
    actor: 'tenant',
    reason:
      "The role cannot be assumed: it does not exist, or its trust policy does not let the service's role in with the external id.",
  },
  RegionDisabledException: {
    actor: 'operator',
    reason: "STS is not enabled for the role's account in this region.",
  },
  ValidationError: { actor: 'operator', reason: 'STS does not accept the call.' },
  MalformedPolicyDocument: { actor: 'operator', reason: 'STS does not accept the session policy.' },
  PackedPolicyTooLarge: { actor: 'operator', reason: 'The session policy is too large.' },
};

const ofDeliveryStreams: Known = {
  AccessDeniedException: {
    actor: 'operator',
    reason: 'The service may not write to its own delivery stream.',
  },
  ResourceNotFoundException: {
    actor: 'operator',
    reason: 'The delivery stream does not exist, or is not active yet.',
  },
  InvalidKMSResourceException: {
    actor: 'operator',
    reason: "The delivery stream's key cannot be used.",
  },
  InvalidArgumentException: { actor: 'operator', reason: 'Firehose does not accept the records.' },
  ValidationException: { actor: 'operator', reason: 'Firehose does not accept the call.' },
};

const longestMessage = 500;

function faultOf(known: Known, code: string, message: string): Fault {
  const { actor, reason } = known[code] ?? {
    actor: 'nobody',
    reason: 'Throttled or unavailable for the moment.',
  };
  const told = message ? ` AWS says: ${message.slice(0, longestMessage)}` : '';
  return { actor, code, reason: `${reason}${told}` };
}

/** AWS's errors have names; those of the network have codes. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One record's fault, or a call's, as Kinesis names it. */
export const streamFault = (code: string, message = ''): Fault => faultOf(ofStreams, code, message);

export const explainStreamError = (error: unknown): Fault =>
  error instanceof CredentialsUnavailable
    ? faultOf(ofRoles, nameOf(error.cause), messageOf(error.cause))
    : streamFault(nameOf(error), messageOf(error));

export const deliveryStreamFault = (code: string, message = ''): Fault =>
  faultOf(ofDeliveryStreams, code, message);

export const explainDeliveryStreamError = (error: unknown): Fault =>
  deliveryStreamFault(nameOf(error), messageOf(error));

/** Of temporary credentials that ended, or were never known: new ones may do. */
const staleCredentials = new Set([
  'ExpiredTokenException',
  'ExpiredToken',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
]);

export const hasStaleCredentials = (error: unknown): boolean => staleCredentials.has(nameOf(error));
