/** A public key on P-256 (RFC 7518, section 6.2). */
export type PublicKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

/** A key that the service signed with, as `GET /.well-known/omi-keys` has it. */
export type OmiKey = {
  kid: string;
  kty: string;
  crv?: string | undefined;
  x?: string | undefined;
  y?: string | undefined;
  /** What it signs: tokens, receipts or logs. */
  for: string;
  /** When the service began and ended to sign with it (RFC 3339). */
  from: string;
  until?: string | undefined;
};

/** The answer of `GET /.well-known/omi-keys`: every key that ever signed. */
export type OmiKeys = { keys: readonly OmiKey[] };

/** Finds a key, for example in a document that is fetched when it is needed. */
export type KeyLookup = (kid: string) => Promise<OmiKey | undefined>;

/** Where the user's request to the website came from, as the website said. */
export type RequestOrigin = {
  browser?: string | undefined;
  place?: string | undefined;
  ip?: string | undefined;
};

/** What the device showed besides message and details. */
export type Context = {
  requester?: { tenant: string; client: string };
  purpose?: string;
  /** The device that the confirmation removes. */
  device?: { deviceId: string; name: string };
  userVerification: 'off' | 'preferred' | 'required';
  requestedFrom?: RequestOrigin;
  /** Only a vote has it: how many of how many members must confirm. */
  group?: { id: string; required: number; of: number };
  [later: string]: unknown;
};

/** The verified claims of a device's answer. */
export type Evidence = {
  iss: string;
  sub: string;
  tid: string;
  aud: string;
  iat: number;
  jkt: string;
  challengeId: string;
  messageHash: string;
  contextHash: string;
  decision: 'confirm' | 'deny';
  detailsHash?: string;
  [claim: string]: unknown;
};

/** The verified claims of the service's receipt of an enrolment. */
export type Receipt = {
  iss: string;
  iat: number;
  sub: string;
  tid: string;
  deviceId: string;
  jkt: string;
  platform: string;
  passkey?: { id: string; jkt: string; rpId: string };
  /** What allowed the enrolment. */
  by: 'first' | 'free' | 'confirmation' | 'recovery' | 'test';
  challengeId?: string;
  client: string;
  [claim: string]: unknown;
};

/** The members of a confirmation that the check reads. None of them is trusted. */
export type Evident = {
  status: string;
  tenantId: string;
  userId: string;
  deviceId?: string | undefined;
  evidence?: string | undefined;
  deviceKey?: PublicKey | undefined;
  context?: string | undefined;
  receipt?: string | undefined;
  userVerified?: boolean | undefined;
  passkeyKey?: PublicKey | undefined;
};

/** Whose signatures count. */
export type Trust = {
  /** `omi-keys`, or what finds a key in it. */
  keys: OmiKeys | KeyLookup;
  baseUrl: string;
  /** Base URLs that the service had before: answers and receipts of that time have them. */
  formerBaseUrls?: readonly string[] | undefined;
  /** Whether users that exist for tests alone are accepted. */
  testUsers?: boolean | undefined;
};

/** What the website knows by itself of the question and its context. What is absent is not compared. */
export type KnownContext = {
  /** `null` if there was none. */
  purpose?: string | null | undefined;
  requestedFrom?: RequestOrigin | null | undefined;
  /** With the purpose `remove-device`. */
  subjectDeviceId?: string | undefined;
};

/** A group of checks that has passed, in this order. */
export type Check = 'signature' | 'question' | 'context' | 'receipt' | 'passkey';
