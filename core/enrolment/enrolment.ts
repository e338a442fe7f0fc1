import { randomBytes } from 'node:crypto';
import type { DeviceKey, DescribedDevice } from '../devices/device.ts';
import type { Authorization } from './device-changes.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { retention } from '../kernel/retention.ts';
import { minutes } from '../kernel/time.ts';

/** One invitation to enrol a device, made by a website for its user and carried by a QR code. */
export type Enrolment = {
  /** Hash of the one-time code, which itself is stored nowhere. */
  enrolmentId: string;
  tenantId: string;
  clientId: string;
  userId: string;
  /** The tenant's setting when the code was made: device calls read no tenant. */
  maxDevices: number;
  /** What allows the user to have a further device; absent where nothing was asked for when the code was made. */
  authorization?: Authorization;
  /** Milliseconds since 1970. */
  expiresAt: number;
  completed?: { device: DescribedDevice; key: DeviceKey };
};

export const codeLifetime = 10 * minutes;

/** Until then a device still learns that its code was used or came too late. */
export const forgottenAt = ({ expiresAt }: Pick<Enrolment, 'expiresAt'>): number =>
  expiresAt + retention.enrolment;

/** 192 random bits: a guess or a search through the stored hashes is hopeless without a slow hash. */
export const newCode = (): string => randomBytes(24).toString('base64url');

/** Website and device find one item with it: the website holds the id, the device the code. */
export const enrolmentIdOf = (code: string): string => sha256(`omi-enrolment\n${code}`);

/** The QR code's content (contract part 3); the fragment never reaches a web server. */
export const qrContent = (appLink: string, baseUrl: string, code: string): string =>
  `${appLink}/enrol#v=1&api=${baseUrl}&code=${code}`;

export const enrolmentStatus = (enrolment: Enrolment, now: number): 'waiting' | 'completed' | 'expired' => {
  if (enrolment.completed) return 'completed';
  return now < enrolment.expiresAt ? 'waiting' : 'expired';
};
