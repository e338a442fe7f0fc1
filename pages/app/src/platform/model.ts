/** What the app stores and sends between its windows. */
import type {
  ChallengeContext,
  EnrolmentLink,
  EnrolmentPreview,
  PasskeyRegistration,
  WebCryptoKey,
} from '#device';

/** One enrolment: this browser as a device of one user of one tenant. */
export type Account = {
  readonly deviceId: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly baseUrl: string;
  /** What the user called this device. */
  readonly name: string;
  /** The tenant's registered name. */
  readonly tenantName: string;
  /** What the website calls the user's account, for people. No screen shows the user id. */
  readonly label?: string;
  readonly enrolledAt: number;
  readonly passkey?: Passkey;
  readonly key: WebCryptoKey;
};

/** An account of which the browser has deleted the key. The user has to enrol again. */
export type LostAccount = Pick<Account, 'deviceId' | 'tenantName' | 'label'>;

export type Passkey = { readonly id: string; readonly rpId: string };

export type PendingEnrolment = {
  readonly link: EnrolmentLink;
  /** For whom it is, as the service said before the user was asked for anything. */
  readonly preview: EnrolmentPreview;
  readonly name: string;
  readonly key: WebCryptoKey;
  readonly begunAt: number;
  /** WebAuthn's user handle. It stays the same, so that a repeated creation replaces the first one. */
  readonly passkeyHandle: Uint8Array<ArrayBuffer>;
  readonly passkey?: { readonly registration: PasskeyRegistration; readonly rpId: string };
};

export type HistoryOutcome = 'confirmed' | 'denied' | 'not_me' | 'expired' | 'failed' | 'cancelled';

/** What happened to a challenge on this device. */
export type HistoryEntry = {
  readonly challengeId: string;
  readonly deviceId: string;
  readonly outcome: HistoryOutcome;
  /** When it was answered or ended here, in milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
  readonly requester?: NonNullable<ChallengeContext['requester']>;
  readonly purpose?: string;
  /** The device that the confirmation was to remove. */
  readonly device?: NonNullable<ChallengeContext['device']>;
  readonly requestedFrom?: NonNullable<ChallengeContext['requestedFrom']>;
  readonly details?: string;
  readonly userVerified?: boolean;
};

export type TabMessage =
  /** Another tab answered, or ended, this challenge. */
  | { readonly type: 'answered'; readonly challengeId: string; readonly outcome: HistoryOutcome }
  /** A push arrived: fetch challenges now. */
  | { readonly type: 'pushed'; readonly challengeId?: string }
  /** The user clicked a notification. */
  | { readonly type: 'opened'; readonly challengeId?: string };

export interface History {
  /** Newest first; of all accounts, or of one. */
  list(deviceId?: string): Promise<readonly HistoryEntry[]>;
  /**
   * A second entry for the same challenge replaces the first, except that an answer stays. Keeps the newest 200 of an
   * account.
   */
  add(entry: HistoryEntry): Promise<void>;
}
