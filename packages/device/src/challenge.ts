/** A confirmation that waits for this device's answer. */
export type Challenge = AccountNames & {
  challengeId: string;
  /** Show it in full, as plain text. */
  message: string;
  /** base64url SHA-256 of the message's UTF-8 bytes. */
  messageHash: string;
  /** When it was asked, in RFC 3339. */
  createdAt: string;
  expiresAt: string;
  /** What was left when the service answered; does not depend on the device's clock. */
  expiresInMs: number;
  /** Three numbers, one of which the website shows. */
  matchNumbers?: string[];
  /** The website shows a number of 6 digits, which the user types. */
  typedNumber?: boolean;
  /** Rich authorization details (RFC 9396) as JSON text: show every member. */
  details?: string;
  /** base64url SHA-256 of the text of `details`. */
  detailsHash?: string;
  /** Who asks, for what and from where, as JSON text: show what {@link readContext} reads from it. */
  context: string;
  /** base64url SHA-256 of the text of `context`. */
  contextHash: string;
  /** Only a vote has it, if the tenant lets members see the others: how many have confirmed, and the labels of those who have one. It is not signed. */
  votes?: { confirmed: number; confirmedBy: string[] };
  /** The page of the website that the user came from: offer it after the answer. It is not signed. */
  returnTo?: string;
};

/** What a challenge's `context` says. Show all of it, and nothing that it does not say. */
export type ChallengeContext = {
  /** The registered names of who asks. */
  requester?: { tenant: string; client?: string };
  /** What the confirmation will allow: `add-device` or `remove-device`. */
  purpose?: string;
  /** The device that the confirmation removes. */
  device?: { deviceId: string; name: string };
  /** Whether a confirmation carries a passkey's assertion: fingerprint, face or PIN. */
  userVerification: UserVerificationMode;
  /** Where the request to the website came from, as the website says. */
  requestedFrom?: { browser?: string; place?: string; ip?: string };
  /** The answer is a vote: how many of how many people must confirm. */
  group?: { id: string; required: number; of: number };
};

export type UserVerificationMode = 'off' | 'preferred' | 'required';

/** A passkey's assertion (WebAuthn), each member in base64url. */
export type UserVerification = {
  id: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
};

export type Confirm = { decision: 'confirm'; number?: string; userVerification?: UserVerification };
export type Deny = { decision: 'deny'; reason?: 'user_declined' | 'not_me' };
export type Answer = Confirm | Deny;

/** The names that people see, in place of ids. */
export type AccountNames = {
  /** The registered name of the website's tenant. */
  tenant: string;
  /** The label that the website gave the user's account. Without one, show `tenant` alone. */
  account?: string;
};
