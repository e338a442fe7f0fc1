/** The device's side of OMI: enrol, read challenges, sign answers. */
export { base64url } from './bytes.ts';
export type { Connection } from './caller.ts';
export type {
  Answer,
  Challenge,
  ChallengeContext,
  Confirm,
  Deny,
  UserVerification,
  UserVerificationMode,
} from './challenge.ts';
export { DeviceError, type DeviceErrorDetails } from './device-error.ts';
export { type DeviceKey, type KeyPair, type PublicJwk, thumbprintOf, WebCryptoKey } from './device-key.ts';
export { Device } from './device.ts';
export { type EnrolmentLink, scan } from './enrolment-link.ts';
export {
  answerMessage,
  commonClaims,
  type DeviceDescription,
  type DeviceIdentity,
  devicePaths,
  enrolmentMessage,
  nameMessage,
  type Message,
  type MessageType,
  type PasskeyRegistration,
  type Platform,
  type PushAddress,
  pushTokenMessage,
  requestMessage,
  type WebPushSubscription,
} from './messages.ts';
export type { AccountNames } from './challenge.ts';
export { readContext } from './reading.ts';
export { brand } from './brand.ts';
export type { Brand, DetailLabels } from './reading.ts';
export { preview } from './preview.ts';
export type { EnrolmentPreview } from './reading.ts';
export { settings } from './settings.ts';
export type { DeviceSettings, PushState } from './reading.ts';
export { assertionChallenge, registrationChallenge, removalChallenge } from './user-verification.ts';
