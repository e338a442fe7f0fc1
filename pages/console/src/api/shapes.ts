/** What the page reads of the API's answers. Members that it does not know are ignored. */

export type Tenant = {
  tenantId: string;
  name: string;
  state: string;
  furtherDevices: 'free' | 'notify' | 'confirm';
  recoveryBy: 'one' | 'two';
};

export type TenantList = { member: { memberId: string; isOperator: boolean }; tenants: Tenant[] };

export type Client = {
  clientId: string;
  name?: string;
  scopes: string[];
  hasKeys: boolean;
  hasCallback: boolean;
};

export type TenantDetails = Tenant & { settings: Record<string, unknown>; clients: Client[] };

export type Device = {
  deviceId: string;
  name: string;
  platform: 'fcm' | 'apns' | 'apns-sandbox' | 'web';
  model?: string;
  status: 'active' | 'unreachable';
  enrolledAt: string;
  lastSeenAt?: string;
};

export type Limit = {
  limit: string;
  deviceId?: string;
  counted: number;
  allowed: number;
  reachedUntil?: string;
};

export type Status = 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';

export type Confirmation = {
  challengeId: string;
  status: Status;
  reason?: string;
  askedAt: string;
  endedAt?: string;
  deviceIds: string[];
  purpose?: string;
  groupId?: string;
};

export type Recovery = {
  recoveryId: string;
  state: 'requested' | 'allowed' | 'used' | 'stopped' | 'expired';
  requestedBy: string;
  requestedAt: string;
  agreedBy?: string;
  expiresAt: string;
};

export type User = {
  userId: string;
  tenant: Tenant;
  account?: string;
  suspendedSince?: string;
  devices: Device[];
  limits: Limit[];
  recovery?: Recovery;
  confirmations: Confirmation[];
  before?: string;
};

/** Nobody can ask the user, and the user's devices show nothing. */
export const isSuspended = ({ suspendedSince, tenant }: User): boolean =>
  suspendedSince !== undefined || tenant.state === 'suspended';

export type Check = {
  checkId: string;
  status: Status;
  reason?: string;
  delivery: string;
  comparison: 'waiting' | 'matches' | 'wrong';
  triesLeft: number;
  isCaller: boolean;
  expiresAt: string;
};

export const exportStates = ['parked', 'validating', 'degraded', 'paused', 'active'] as const;
export type ExportState = (typeof exportStates)[number];

export type Export = {
  tenantId: string;
  category: 'public' | 'log';
  destination: { kind: string };
  state: ExportState;
  since: string;
  reason: string;
  action?: { who: 'tenant' | 'operator' | 'nobody'; what: string };
  waiting: number;
  lastTest: { outcome: string; requestedAt: string; endedAt?: string; reason?: string } | null;
};

export type Replay = {
  replayId: string;
  state: 'running' | 'done' | 'failed';
  from: string;
  to: string;
  eventsSent: number;
  reason?: string;
};

export type UserAct = 'reset-limits' | 'suspend' | 'unsuspend' | 'withdraw-recovery';
