import { randomBytes } from 'node:crypto';
import type { DescribedDevice, Enrolled } from '../devices/device.ts';
import type { PushHistory } from '../devices/push-history.ts';
import type { Authorization } from './device-changes.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { retention } from '../kernel/retention.ts';
import { minutes } from '../kernel/time.ts';
import type { UserVerificationMode } from '../tenants/tenant.ts';

/** Permission to enrol one device, made by a website for its user. The QR code contains its one-time code. */
export type Enrolment = {
  /** Hash of the one-time code. The code itself is not stored. */
  enrolmentId: string;
  tenantId: string;
  clientId: string;
  userId: string;
  /** The tenant's registered name when the code was made. People see it before they enrol. */
  tenantName: string;
  /** Becomes the label of the user's account when the code is redeemed. */
  accountLabel?: string;
  /** The tenant's setting when the code was made, because calls of devices do not read the tenant. */
  maxDevices: number;
  /** Likewise. Absent: `off`. */
  userVerification?: UserVerificationMode;
  /** What authorizes a further device. Absent if nothing was required when the code was made. */
  authorization?: Authorization;
  /** Milliseconds since 1970. */
  expiresAt: number;
  completed?: Enrolled & { device: DescribedDevice };
};

export const codeLifetimeMs = 10 * minutes;

/** Until then a device learns that its code was used or has expired. */
export const forgottenAt = ({ expiresAt }: Pick<Enrolment, 'expiresAt'>): number =>
  expiresAt + retention.enrolment;

/** 192 random bits: too many to guess, so the stored hash needs not be slow. */
export const newCode = (): string => randomBytes(24).toString('base64url');

/** The website knows the id and the device knows the code; both find the same item. */
export const enrolmentIdOf = (code: string): string => sha256(`omi-enrolment\n${code}`);

/** The QR code's content. Browsers do not send the fragment to a web server. */
export const qrContent = (appLink: string, baseUrl: string, code: string): string =>
  `${appLink}/enrol#v=1&api=${baseUrl}&code=${code}`;

type Labelled = Pick<PushHistory, 'accountLabel' | 'accountLabelAt'>;

/** The label of the account once the code is redeemed: the later of the code's and what the website said beside it. */
export function labelWith({ accountLabel, expiresAt }: Enrolment, history: Labelled): Labelled {
  const madeAt = expiresAt - codeLifetimeMs;
  const isLater = accountLabel !== undefined && madeAt >= (history.accountLabelAt ?? 0);
  return isLater ? { accountLabel, accountLabelAt: madeAt } : history;
}

export type EnrolmentStatus = 'waiting' | 'completed' | 'expired';

/** By its own time only: a newer code of the user also ends it. */
export const statusAt = (enrolment: Enrolment, now: number): EnrolmentStatus => {
  if (enrolment.completed) return 'completed';
  return now < enrolment.expiresAt ? 'waiting' : 'expired';
};
