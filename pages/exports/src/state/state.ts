import {
  categories,
  type Category,
  type Delivery,
  type Export,
  type LedgerHour,
  type Replay,
  type SampleEvent,
  type Tenant,
} from '../api/shapes.ts';
import type { ShownBrand } from '#ui/logo-path.ts';
import type { PageBrand } from '#ui/stage/page-brand.ts';
import type { SignInSettings } from '#ui/sign-in/settings.ts';
import type { LogCheck } from '../log/check-log.ts';
import { fieldOf, hourMs } from '../text/range.ts';

/** What the page reads of its stack, at `/config.json`. */
export type Config = {
  /** Where a client gets its tokens. Missing if they come from the operator's own issuer. */
  tokenUrl?: string;
  /** What the issuer wants before each scope. */
  scopePrefix?: string;
  /** The demo bank and the web app, beside the page. */
  siteUrl?: string;
  appUrl?: string;
  /** Missing where a pasted token is the only way in. */
  signIn?: SignInSettings;
  /** How the stage presents the page. */
  brand?: PageBrand;
};

export type Route = { screen: 'exports' } | { screen: 'export'; category: Category };

/** Hours of the ledger to show. */
export const spans = [24, 72, 336] as const;
export type Span = (typeof spans)[number];

export type Ledger = {
  span: Span;
  /** Missing before the first answer. */
  hours?: readonly LedgerHour[];
  isLoading: boolean;
  problem?: string;
  /** The hour whose types are shown. */
  chosen?: string;
};

/** The last attempts to deliver events, newest first. */
export type Deliveries = {
  /** Missing before the first answer. */
  list?: readonly Delivery[];
  /** There are older ones. */
  cursor?: string;
  isLoading: boolean;
  problem?: string;
};

/** What was found of the log. */
export type LogPart = { isLoading: boolean; found?: LogCheck; problem?: string };

/** An event of each type that the export has. */
export type Samples = {
  /** Missing before the first answer. */
  list?: readonly SampleEvent[];
  isLoading: boolean;
  problem?: string;
  /** The type that is shown, if not the first one. */
  chosen?: string;
};

export type ReplayForm = {
  from: string;
  /** Empty: now. */
  to: string;
  /** Empty: all. */
  types: readonly string[];
  /** As they were typed, with space or commas between them. Empty: all. */
  eventIds: string;
  problem?: { field?: 'from' | 'to'; text: string };
  isSending: boolean;
};

/** A request that changes something, beside the export that it concerns. */
export type Request = { phase: 'idle' } | { phase: 'sending' } | { phase: 'refused'; problem: string };

/** What is shown of an export besides itself. */
export type Panel = {
  samples: Samples;
  test: Request;
  steering: Request | { phase: 'confirming' };
  /** What becomes of events that were given up. */
  givenUp: Request;
  replayForm: ReplayForm;
  /** The replays of this window, newest first. */
  replays: readonly Replay[];
  ledger: Ledger;
  deliveries: Deliveries;
  log: LogPart;
};

/** By a pasted token, or of a member who signed in. */
export type SessionKind = 'token' | 'member';

/** `name` is the member's. */
export type Session = { canAct: boolean; expiresAt: number; name?: string };

export const kindOf = (session: Session): SessionKind => (session.name === undefined ? 'token' : 'member');

export type State = {
  now: number;
  config: Config;
  route: Route;
  /** Why nobody is signed in any more, or why a token or a sign-in was refused. */
  signInProblem?: { of: SessionKind; text: string };
  /** On the way to the issuer, or back. */
  isSigningIn: boolean;
  session?: Session;
  /** Missing before the first answer. */
  tenant?: Tenant;
  brand?: ShownBrand;
  exports?: readonly Export[];
  /** Why the last refresh failed. */
  problem?: string;
  panels: Record<Category, Panel>;
  /** What was copied last. */
  copied?: string;
  /** For screen readers: what has just changed. */
  announcement: string;
};

const newPanel = (now: number): Panel => ({
  samples: { isLoading: false },
  test: { phase: 'idle' },
  steering: { phase: 'idle' },
  givenUp: { phase: 'idle' },
  replayForm: { from: fieldOf(now - hourMs), to: '', types: [], eventIds: '', isSending: false },
  replays: [],
  ledger: { span: 24, isLoading: false },
  deliveries: { isLoading: false },
  log: { isLoading: false },
});

export const initialState = (now: number, route: Route): State => ({
  now,
  config: {},
  route,
  isSigningIn: false,
  panels: { public: newPanel(now), log: newPanel(now) },
  announcement: '',
});

export function routeOf(hash: string): Route {
  const name = hash.replace(/^#\/?/, '');
  const category = categories.find((one) => one === name);
  return category === undefined ? { screen: 'exports' } : { screen: 'export', category };
}

export const hashOf = (route: Route): string => (route.screen === 'exports' ? '#/' : `#/${route.category}`);
