import type { ShownBrand } from '#ui/logo-path.ts';
import type { PageBrand } from '#ui/stage/page-brand.ts';
import type {
  Check,
  Export,
  ExportState,
  Replay,
  Tenant,
  TenantDetails,
  TenantList,
  User,
} from '../api/shapes.ts';
import type { UserRef } from '../api/staff-api.ts';

export const screens = ['users', 'exports', 'tenants'] as const;
export type Screen = (typeof screens)[number];

export type Session = TenantList['member'] & { name: string; expiresAt: number; tenants: Tenant[] };

/** A user that was looked for. */
export type Found = UserRef & { user?: User; problem?: string };

/** What is asked before it is done. */
export type Question =
  | { what: 'remove-device'; deviceId: string; name: string }
  | { what: 'suspend' }
  | { what: 'recovery' }
  | { what: 'pause'; key: string };

export type State = {
  now: number;
  screen: Screen;
  /** How the operator's stage presents the page. */
  stage: PageBrand;
  /** Why nobody is signed in. */
  signInProblem?: string;
  isSigningIn: boolean;
  session?: Session;
  found?: Found;
  /** How the tenant of the user presents itself. */
  brand?: ShownBrand;
  check?: Check;
  /** The number that was compared last was wrong. */
  isNumberWrong?: boolean;
  question?: Question;
  /** A call is under way: what it is. */
  busy?: string;
  /** Why the last act was refused. */
  problem?: string;
  exportState?: ExportState | 'all';
  exports?: readonly Export[];
  replays: readonly (Replay & { key: string })[];
  tenant?: TenantDetails;
  /** For screen readers, and for eyes: what was done last. */
  announcement: string;
};

export const initialState = (now: number, screen: Screen, stage: PageBrand): State => ({
  now,
  screen,
  stage,
  isSigningIn: false,
  replays: [],
  announcement: '',
});

export function screenOf(hash: string): Screen {
  const name = hash.replace(/^#\/?/, '');
  return screens.find((one) => one === name) ?? 'users';
}

export const keyOf = ({ tenantId, category }: Pick<Export, 'tenantId' | 'category'>): string =>
  `${tenantId} ${category}`;
