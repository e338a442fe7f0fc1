import type {
  Brand,
  Challenge,
  DeviceErrorDetails,
  EnrolmentLink,
  EnrolmentPreview,
  PushState,
} from '#device';
import type {
  Account,
  AssertionOutcome,
  HistoryEntry,
  InstallState,
  LostAccount,
  PasskeyOutcome,
  PendingEnrolment,
  PushHealth,
  PushPermission,
  ScanOutcome,
  StageBrand,
  TabMessage,
} from '../platform/index.ts';
import type { Route } from '../routes.ts';
import type { Decision } from './state.ts';

/** A failed call: the code of a `DeviceError`, or `unexpected`. */
export type Failure = { readonly code: string } & Pick<DeviceErrorDetails, 'serverTime' | 'retryAfter'>;

/** All that happens: what the user does, what the browser tells, and how effects end. */
export type Message =
  | {
      readonly type: 'started';
      readonly accounts: readonly Account[];
      readonly lost: readonly LostAccount[];
      readonly hasPasskeys: boolean;
      readonly install: InstallState;
      readonly permission: PushPermission;
      readonly online: boolean;
      readonly pending?: PendingEnrolment | undefined;
    }
  | { readonly type: 'broken' }
  | { readonly type: 'configured'; readonly baseUrl: string; readonly brand?: StageBrand }
  | { readonly type: 'unconfigured' }
  | { readonly type: 'ticked' }
  | { readonly type: 'woken' }
  | { readonly type: 'visibility'; readonly visible: boolean }
  | { readonly type: 'network'; readonly online: boolean }
  | { readonly type: 'tab'; readonly message: TabMessage }
  | { readonly type: 'install-state'; readonly install: InstallState }
  | { readonly type: 'update-ready' }
  | { readonly type: 'update-chosen' }
  | { readonly type: 'routed'; readonly route: Route }
  | {
      readonly type: 'accounts';
      readonly accounts: readonly Account[];
      readonly lost: readonly LostAccount[];
    }
  | { readonly type: 'branded'; readonly tenantId: string; readonly brand: Brand }
  | { readonly type: 'history'; readonly entries: readonly HistoryEntry[] }
  // Challenges
  | {
      readonly type: 'fetched';
      readonly deviceId: string;
      readonly challenges: readonly Challenge[];
      readonly push?: PushState | undefined;
    }
  | { readonly type: 'fetch-failed'; readonly deviceId: string; readonly failure: Failure }
  | {
      readonly type: 'decided';
      readonly challengeId: string;
      readonly decision: Decision;
      readonly number?: string | undefined;
      /** The user confirms without the passkey that the tenant prefers. */
      readonly unverified?: boolean;
    }
  | { readonly type: 'verified'; readonly challengeId: string; readonly result: AssertionOutcome }
  | { readonly type: 'answered'; readonly challengeId: string; readonly status: string }
  | { readonly type: 'answer-failed'; readonly challengeId: string; readonly failure: Failure }
  // Notifications
  | { readonly type: 'push-chosen' }
  | { readonly type: 'push-health'; readonly health: PushHealth }
  // Enrolment
  | { readonly type: 'link'; readonly text: string }
  | { readonly type: 'entry-chosen'; readonly way: 'paste' | 'scan' | 'choose' }
  | { readonly type: 'scanned'; readonly result: ScanOutcome }
  | { readonly type: 'previewed'; readonly link: EnrolmentLink; readonly preview: EnrolmentPreview }
  | { readonly type: 'preview-failed'; readonly link: EnrolmentLink; readonly failure: Failure }
  | { readonly type: 'install-skipped' }
  | { readonly type: 'install-chosen' }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'begun'; readonly pending: PendingEnrolment }
  | { readonly type: 'push-skipped' }
  | { readonly type: 'passkey-chosen' }
  | { readonly type: 'passkey-skipped' }
  | {
      readonly type: 'passkey-made';
      readonly result: PasskeyOutcome;
      readonly pending?: PendingEnrolment | undefined;
    }
  | { readonly type: 'enrolled'; readonly account: Account }
  | { readonly type: 'enrol-failed'; readonly failure: Failure }
  | { readonly type: 'enrol-retried' }
  | { readonly type: 'enrol-left' }
  // Settings
  | { readonly type: 'rename-typed'; readonly deviceId: string; readonly text: string }
  | { readonly type: 'rename-chosen'; readonly deviceId: string; readonly name: string }
  | { readonly type: 'renamed'; readonly deviceId: string }
  | { readonly type: 'rename-failed'; readonly deviceId: string }
  | { readonly type: 'removal-chosen'; readonly deviceId: string; readonly onlyHere: boolean }
  | { readonly type: 'removed'; readonly deviceId: string }
  | { readonly type: 'removal-failed'; readonly deviceId: string; readonly failure: Failure }
  | { readonly type: 'lost-read'; readonly deviceId: string };
