import type { State } from './state.ts';
import type { AccountNames, Answer, EnrolmentLink, EnrolmentPreview, Challenge } from '#device';
import type { Account, HistoryEntry, HistoryOutcome, PendingEnrolment } from '../platform/index.ts';
import type { Route } from '../routes.ts';

/** What `update` wants done. The result comes back as a message. */
export type Effect =
  | { readonly type: 'fetch'; readonly account: Account }
  | { readonly type: 'verify'; readonly account: Account; readonly challenge: Challenge }
  | {
      readonly type: 'answer';
      readonly account: Account;
      readonly challenge: Challenge;
      readonly answer: Answer;
    }
  | { readonly type: 'record'; readonly entry: HistoryEntry }
  | { readonly type: 'announce'; readonly challengeId: string; readonly outcome: HistoryOutcome }
  | { readonly type: 'close-notification'; readonly challengeId: string }
  | { readonly type: 'set-names'; readonly deviceId: string; readonly names: AccountNames }
  | { readonly type: 'navigate'; readonly route: Route; readonly replace?: boolean }
  | { readonly type: 'load-accounts' }
  | { readonly type: 'load-brand'; readonly tenantId: string }
  | { readonly type: 'load-history' }
  | { readonly type: 'load-config' }
  | { readonly type: 'enable-push' }
  | { readonly type: 'refresh-push' }
  | { readonly type: 'replace-push' }
  | { readonly type: 'prompt-install' }
  | { readonly type: 'preview-enrolment'; readonly link: EnrolmentLink }
  | {
      readonly type: 'begin-enrolment';
      readonly link: EnrolmentLink;
      readonly name: string;
      readonly preview: EnrolmentPreview;
    }
  | { readonly type: 'add-passkey'; readonly pending: PendingEnrolment }
  | { readonly type: 'complete-enrolment'; readonly pending: PendingEnrolment }
  | { readonly type: 'abandon-enrolment' }
  | { readonly type: 'persist' }
  | { readonly type: 'rename'; readonly account: Account; readonly name: string }
  | { readonly type: 'remove'; readonly account: Account; readonly onlyHere: boolean }
  | { readonly type: 'forget-lost'; readonly deviceId: string }
  | { readonly type: 'apply-update' };

/** A state and what follows from it. */
export type Update = readonly [State, readonly Effect[]];
