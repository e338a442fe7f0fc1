import type {
  Brand,
  Challenge,
  ChallengeContext,
  EnrolmentLink,
  EnrolmentPreview,
  PushState,
  UserVerification,
} from '#device';
import type {
  Account,
  HistoryEntry,
  HistoryOutcome,
  InstallState,
  LostAccount,
  PendingEnrolment,
  PushHealth,
  ScanOutcome,
  StageBrand,
} from '../platform/index.ts';
import type { Route } from '../routes.ts';

/** All that the screens show. It changes only in `update`. */
export type State = {
  /** `broken`: the browser gives this app no storage. */
  readonly phase: 'starting' | 'ready' | 'broken';
  /** Milliseconds since 1970, as of the last message. */
  readonly now: number;
  readonly route: Route;
  /** The only service whose enrolment links are accepted. Unknown until it was read once. */
  readonly baseUrl?: string;
  /** How the operator's stage presents the app. */
  readonly stage: StageBrand;
  readonly accounts: readonly Account[];
  /** How the accounts' tenants present themselves, by tenant id. */
  readonly brands: Readonly<Record<string, Brand>>;
  readonly lost: readonly LostAccount[];
  /** What the last call of each device said, by device id. */
  readonly contacts: Readonly<Record<string, Contact>>;
  /** The next to expire first. */
  readonly challenges: readonly OpenChallenge[];
  /** Challenges that ended while the app was open, by challenge id. */
  readonly ended: Readonly<Record<string, EndedChallenge>>;
  readonly answering?: Answering;
  readonly enrolling?: Enrolling;
  readonly renaming?: Renaming;
  readonly removal?: Removal;
  readonly history?: readonly HistoryEntry[];
  /** What this browser knows of notifications. The service may know better, see `pushHealthOf`. */
  readonly push?: PushHealth;
  /** When a subscription that had died was last replaced. */
  readonly pushReplacedAt?: number;
  readonly asksForPush: boolean;
  /** True if this device can verify its user by fingerprint, face or PIN. */
  readonly hasPasskeys: boolean;
  readonly install: InstallState;
  readonly online: boolean;
  readonly visible: boolean;
  readonly updateReady: boolean;
  /** How far the service's clock is ahead of this device's, in milliseconds. */
  readonly clockOffsetMs: number;
};

export type Contact = {
  /** `removed`: the service no longer knows this device. */
  readonly state: 'unknown' | 'reached' | 'unreachable' | 'removed';
  /** Failed calls in a row. */
  readonly failures: number;
  readonly nextFetchAt: number;
  /** The service asked for a pause until then. */
  readonly notBefore: number;
  readonly fetchingSince?: number;
  /** What the service said of pushes to this device. */
  readonly push?: PushState | undefined;
};

export type OpenChallenge = {
  readonly deviceId: string;
  readonly challenge: Challenge;
  /** What the challenge's `context` says. */
  readonly context: ChallengeContext;
  /** By this device's clock, computed from `expiresInMs`. */
  readonly deadline: number;
};

export type EndedChallenge = OpenChallenge & {
  /** `mismatch`: the message is not the one that the service signed for, so nothing was answered. */
  readonly outcome: HistoryOutcome | 'mismatch';
  /** Another tab answered. */
  readonly elsewhere: boolean;
};

export type Decision = 'confirm' | 'deny' | 'not_me';

/** Why the last attempt to answer failed. The challenge stays open. */
export type AnswerProblem =
  | 'number-missing'
  | 'number-format'
  | 'verification-cancelled'
  | 'verification-needed'
  | 'verification-failed'
  | 'passkey-counter'
  | 'passkey-missing'
  | 'not-sent'
  | 'clock'
  | 'unexpected';

/** The user's answer to one challenge, until the service has it. */
export type Answering = {
  readonly challengeId: string;
  readonly phase: 'idle' | 'verifying' | 'sending';
  readonly decision?: Decision;
  readonly number?: string;
  /** The service asked for the number that the website shows. */
  readonly asksNumber: boolean;
  /** The service refused an answer without user verification. */
  readonly requiresVerification: boolean;
  readonly verification?: UserVerification;
  readonly problem?: AnswerProblem;
};

export type Renaming = {
  readonly deviceId: string;
  readonly phase: 'typing' | 'working' | 'failed';
  /** What the user has typed. */
  readonly typed: string;
};

export type Removal = {
  readonly deviceId: string;
  readonly phase: 'working' | 'failed';
  readonly code?: string;
};

export const initialState = (now: number, route: Route): State => ({
  phase: 'starting',
  now,
  route,
  stage: {},
  accounts: [],
  brands: {},
  lost: [],
  contacts: {},
  challenges: [],
  ended: {},
  asksForPush: false,
  hasPasskeys: false,
  install: 'browser',
  online: true,
  visible: true,
  updateReady: false,
  clockOffsetMs: 0,
});

export const accountOf = (state: State, deviceId: string): Account | undefined =>
  state.accounts.find((account) => account.deviceId === deviceId);

export const brandOf = (state: State, deviceId: string): Brand | undefined =>
  state.brands[accountOf(state, deviceId)?.tenantId ?? ''];

export const challengeOf = (state: State, challengeId: string): OpenChallenge | undefined =>
  state.challenges.find(({ challenge }) => challenge.challengeId === challengeId);

/** A device's signed calls are refused beyond one minute, so the user is told from there on. */
const toleratedOffsetMs = 60_000;

export const isClockOff = ({ clockOffsetMs }: State): boolean => Math.abs(clockOffsetMs) >= toleratedOffsetMs;

/** Pushes arrive if the browser has a subscription and the service can push to it, for each account. */
export const pushHealthOf = ({ push, accounts, contacts }: State): PushHealth | undefined =>
  push?.state === 'active' && accounts.some(({ deviceId }) => contacts[deviceId]?.push === 'unreachable')
    ? { state: 'unreachable' }
    : push;

/** Without a connection, or because no device could reach the service. */
export const isUnreachable = ({ contacts, accounts }: State): boolean =>
  accounts.length > 0 && accounts.every(({ deviceId }) => contacts[deviceId]?.state === 'unreachable');

export type Enrolling = {
  readonly step: EnrolStep;
  /** A link that waits until the app knows its own service. */
  readonly text?: string;
  readonly link?: EnrolmentLink;
  /** For whom the link is. */
  readonly preview?: EnrolmentPreview;
  readonly name?: string;
  readonly pending?: PendingEnrolment;
  /** The user has answered the question for notifications. */
  readonly decidedPush?: boolean;
  /** The user has a passkey for this enrolment, or wants none. */
  readonly decidedPasskey?: boolean;
};

export type EnrolStep =
  | {
      readonly at: 'entry';
      readonly way: 'choose' | 'paste' | 'scan';
      readonly problem?: EntryProblem;
      /** What the user has typed, and not sent yet. */
      readonly typed?: string;
    }
  /** The service says for whom the link is. */
  | { readonly at: 'checking' }
  /** On iOS: the app must be on the Home Screen before it enrols, as its data there are others. */
  | { readonly at: 'install' }
  | { readonly at: 'name'; readonly typed?: string }
  | { readonly at: 'push' }
  | { readonly at: 'passkey'; readonly isRequired: boolean; readonly problem?: 'cancelled' | 'unavailable' }
  | { readonly at: 'working' }
  | { readonly at: 'failed'; readonly code: string }
  | { readonly at: 'done'; readonly account: Account };

export type EntryProblem =
  | 'invalid-link'
  | 'unsupported-link'
  | 'foreign-link'
  | 'service-unknown'
  | Exclude<ScanOutcome['outcome'], 'found' | 'stopped'>;
