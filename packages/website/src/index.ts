/** A website's side of OMI: ask a user to confirm, and check the answer. */
export { EvidenceError, type EvidenceFault } from '../../evidence/src/evidence-error.ts';
export type {
  Context,
  Evidence,
  Evident,
  KeyLookup,
  OmiKey,
  OmiKeys,
  PublicKey,
  Trust,
} from '../../evidence/src/types.ts';
export { verifyEvidence } from '../../evidence/src/verify-evidence.ts';
export {
  type AskedGroup,
  type EvidentGroup,
  type GroupEvidence,
  verifyGroup,
} from '../../evidence/src/verify-group.ts';
export { type AskedByCiba, type IdToken, verifyIdToken } from '../../evidence/src/verify-id-token.ts';
export type { Brand } from './brand.ts';
export { newNonce } from './nonce.ts';
export { Omi } from './omi.ts';
export type { OmiErrorCode } from './hints.ts';
export { OmiError, type OmiErrorDetails } from './omi-error.ts';
export type {
  Asked,
  AuthorizationDetail,
  Callback,
  Confirmation,
  ConfirmationCallback,
  Confirmed,
  ConfirmGroupRequest,
  ConfirmRequest,
  DeniedByUser,
  Device,
  EnrolmentStatus,
  EnrolRequest,
  FinalConfirmation,
  FinalGroup,
  Group,
  GroupCallback,
  GroupRequest,
  OmiOptions,
  Purpose,
  RequestFault,
  RequestOrigin,
  SendRequest,
  StartedEnrolment,
  WaitOptions,
} from './types.ts';
export * from './routes/index.ts';
export type { TokenOptions } from '../../http/src/access-tokens.ts';
