import { EvidenceError, type EvidenceFault } from '../evidence-error.ts';

/** What an audit finds besides the evidence itself. */
export type RecordFault =
  /** The file is not a final confirmation, a callback or an event with evidence. */
  | 'record'
  /** A time, a reason or a hash beside the evidence differs from what was signed. */
  | 'decidedAt'
  | 'reason'
  /** Answer and receipt name several base URLs, and nobody said which are the service's. */
  | 'base-url'
  /** The exported events have none of this answer. */
  | 'event-missing'
  /** The exported event of this confirmation, or of the device's enrolment, says something else. */
  | 'event-differs'
  | 'enrolment-differs'
  /** The device was removed before it answered. */
  | 'removed-before';

export type AuditFault = EvidenceFault | RecordFault;

export class AuditError extends Error {
  override readonly name = 'AuditError';
  readonly code: RecordFault;

  constructor(code: RecordFault) {
    super(`The files do not prove it: ${code}`);
    this.code = code;
  }
}

/** @throws the error, if it is another one */
export function faultOf(error: unknown): AuditFault {
  if (error instanceof EvidenceError || error instanceof AuditError) return error.code;
  throw error;
}

/** What is wrong, in words. */
export const faultTexts: Record<AuditFault, string> = {
  record: 'the file is not a final confirmation, a callback or an event with evidence',
  status: 'the user neither confirmed nor denied',
  votes: 'too few members of the group confirmed',
  'id-token': 'the ID token is not one of the service for this request, or has expired',
  missing: 'evidence, deviceKey, context or receipt is missing',
  malformed: 'the evidence is not a JWS',
  header: "the evidence's header has other parameters than alg, typ and kid",
  alg: 'the evidence is not signed with ES256',
  typ: 'the evidence is not the answer of a device',
  kid: 'the evidence is of another device than the confirmation names',
  'device-key': 'deviceKey is not a public key on P-256',
  'unknown-key': 'deviceKey is not one of the keys that were kept for the user',
  signature: 'the signature of the evidence is not that of deviceKey',
  jkt: 'the device signed with another key than deviceKey',
  iss: 'another device answered',
  sub: 'another user answered',
  tid: 'the answer is for another tenant',
  aud: 'the answer is for another service',
  challengeId: 'the answer is for another question: tenant or nonce differ',
  messageHash: 'the user saw another message',
  detailsHash: 'the user saw other details',
  contextHash: 'the user saw another context: requester, purpose, origin or mode of verification',
  decision: 'the user decided otherwise',
  context: 'the context is not a JSON object that an app could have shown',
  purpose: 'the confirmation had another purpose',
  requestedFrom: 'the request came from elsewhere',
  subjectDeviceId: 'the confirmation removes another device',
  group: 'the device showed another group',
  receipt: 'the receipt is not a receipt of an enrolment',
  'receipt-key': 'no key for receipts in the key document has the kid of the receipt',
  'receipt-time': 'the key of the receipt was not in use when the receipt was signed',
  'receipt-signature': "the signature of the receipt is not that of the service's key",
  'receipt-iss': 'the receipt is of another service',
  'receipt-tid': 'the receipt is of another tenant',
  'receipt-sub': 'the receipt is of another user',
  'receipt-deviceId': 'the receipt is of another device',
  'receipt-jkt': 'the service received another key when the device was enrolled',
  'receipt-by': 'the receipt is of a test user, or gives an unknown reason for the enrolment',
  'user-verified':
    'userVerified differs from what was signed, or the verification that was required is missing',
  passkey: "the passkey's assertion is malformed",
  'passkey-id': 'the assertion is of another passkey than the enrolled one',
  'passkey-key': 'passkeyKey is not the key of the enrolled passkey',
  'passkey-challenge': 'the passkey verified the user for something else',
  'passkey-rpId': 'the passkey verified the user for another app',
  'passkey-flags': 'the passkey did not verify the user',
  'passkey-signature': "the assertion's signature is not that of passkeyKey",
  decidedAt: 'the time of the decision differs from the signed one by more than 5 minutes',
  reason: 'the reason differs from the signed one',
  'base-url': 'answer and receipt name different base URLs: name those of the service',
  'event-missing': 'the exported events have none of this answer: add those of its day',
  'event-differs': 'an exported event of this confirmation says something else',
  'enrolment-differs': 'the exported event of the enrolment has another key, user or receipt',
  'removed-before': 'the device was removed before the answer',
};
