/** A website's side of OMI: ask a user to confirm, and check the answer. */
export { type Evident, verifyEvidence } from './evidence.ts';
export { EvidenceError, type EvidenceFault } from './evidence-error.ts';
export { newNonce } from './nonce.ts';
export { Omi } from './omi.ts';
export { OmiError, type OmiErrorDetails } from './omi-error.ts';
export type {
  Asked,
  AuthorizationDetail,
  Callback,
  Confirmation,
  Confirmed,
  ConfirmRequest,
  DeniedByUser,
  Device,
  EnrolmentStatus,
  EnrolRequest,
  Evidence,
  FinalConfirmation,
  OmiOptions,
  PublicKey,
  Purpose,
  RequestFault,
  RequestOrigin,
  SendRequest,
  StartedEnrolment,
  TokenOptions,
  WaitOptions,
} from './types.ts';
export * from './routes/index.ts';
