import { categories, type Category, type Export, type LedgerHour, type Replay } from '../api/shapes.ts';
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

export type ReplayForm = {
  from: string;
  /** Empty: now. */
  to: string;
  /** Empty: all. */
  types: readonly string[];
  problem?: { field?: 'from' | 'to'; text: string };
  isSending: boolean;
};

/** A request that changes something, beside the export that it concerns. */
export type Request = { phase: 'idle' } | { phase: 'sending' } | { phase: 'refused'; problem: string };

/** What is shown of an export besides itself. */
export type Panel = {
  test: Request;
  steering: Request | { phase: 'confirming' };
  replayForm: ReplayForm;
  /** Of this visit, newest first. */
  replays: readonly Replay[];
  ledger: Ledger;
};

export type Session = { canAct: boolean; expiresAt: number };

export type State = {
  now: number;
  config: Config;
  route: Route;
  /** Why nobody is signed in any more, or why a token was refused. */
  signInProblem?: string;
  session?: Session;
  /** Missing before the first answer. */
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
  test: { phase: 'idle' },
  steering: { phase: 'idle' },
  replayForm: { from: fieldOf(now - hourMs), to: '', types: [], isSending: false },
  replays: [],
  ledger: { span: 24, isLoading: false },
});

export const initialState = (now: number, route: Route): State => ({
  now,
  config: {},
  route,
  panels: { public: newPanel(now), log: newPanel(now) },
  announcement: '',
});

export function routeOf(hash: string): Route {
  const name = hash.replace(/^#\/?/, '');
  const category = categories.find((one) => one === name);
  return category === undefined ? { screen: 'exports' } : { screen: 'export', category };
}

export const hashOf = (route: Route): string => (route.screen === 'exports' ? '#/' : `#/${route.category}`);
