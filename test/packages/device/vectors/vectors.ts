/** The published vectors, as a test of any implementation reads them. */
import type { JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import type { MessageType } from '../../../../core/devices/protocol/jws.ts';

type Json = Record<string, unknown>;

export type KnownChallenge = {
  challengeId: string;
  tenant: string;
  account: string;
  message: string;
  messageHash: string;
  createdAt: string;
  expiresAt: string;
  matchNumbers?: string[];
  details?: string;
  detailsHash?: string;
  context: string;
  contextHash: string;
  asked: { nonce: string; matchCode?: string };
};

export type Vector = {
  name: string;
  key: JsonWebKey;
  header?: Json;
  claims?: Json;
  jws: string;
  signatureIsValid: boolean;
  serviceTime: string;
  challenge?: KnownChallenge;
  enrolment?: { code: string; expiresAt: string; userVerification?: 'required' };
  passkey?: { id: string; publicKey: DeviceKey; counter: number; synced: boolean };
  platform?: 'web';
  /** The setting of the tenant. */
  userVerification?: 'required';
  /** The vector that the service accepted before. */
  after?: string;
  /** In place of the call's path. */
  path?: string;
  expected: { status: number; code?: string; serverTime?: string; body?: Json };
};

export type VectorFile = {
  call: { method: string; path: string; jwsIn: string; contentType?: string };
  typ: MessageType;
  baseUrl: string;
  rpId?: string;
  origins?: string[];
  device?: { deviceId: string; tenantId: string; userId: string; publicKey: DeviceKey };
  enrolment?: {
    code: string;
    expiresAt: string;
    tenantId: string;
    userId: string;
    tenant: string;
    account: string;
    userVerification?: 'required';
  };
  vectors: Vector[];
};

export const messageKinds = [
  'enrolment',
  'request',
  'response',
  'user-verification',
  'push-token',
  'device-name',
  'unregister',
] as const;
export type MessageKind = (typeof messageKinds)[number];

export const readVectors = (name: string): unknown =>
  JSON.parse(readFileSync(`packages/device/vectors/${name}.json`, 'utf8'));

export const messageFile = (kind: MessageKind): VectorFile => readVectors(kind) as VectorFile;

export const serviceTimeOf = ({ serviceTime }: Vector): number => Date.parse(serviceTime);

/** What the service accepts. */
export const isGood = ({ expected }: Vector): boolean => expected.status < 300;

/** False for what a package adds itself, or leaves out. */
export const isOwnForm = ({ name, claims, header }: Vector): boolean =>
  Number.isInteger(claims?.['iat']) &&
  !('note' in (claims ?? {})) &&
  !('exp' in (claims ?? {})) &&
  !name.startsWith('a jwk as browsers export it') &&
  !(claims?.['decision'] === 'deny' && 'userVerification' in claims) &&
  header !== undefined;
