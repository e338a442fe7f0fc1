import type { AccountNames } from './challenge.ts';
/** What each call says: its path, its type, its claims. */
import type { Answer, Challenge } from './challenge.ts';
import { DeviceError } from './device-error.ts';
import type { PublicJwk } from './device-key.ts';

export type MessageType =
  | 'omi-enrolment+jws'
  | 'omi-request+jws'
  | 'omi-response+jws'
  | 'omi-push-token+jws'
  | 'omi-device-name+jws';

/** The claims are those of the call itself; {@link commonClaims} has the others. */
export type Message = { typ: MessageType; claims: Record<string, unknown> };

export type Platform = 'fcm' | 'apns' | 'apns-sandbox' | 'web';

/** `PushSubscription.toJSON()` of a browser. */
export type WebPushSubscription = { endpoint?: string; keys?: Record<string, string> };

/** A passkey's creation (WebAuthn); all but the key in base64url. */
export type PasskeyRegistration = {
  id: string;
  publicKey: PublicJwk;
  authenticatorData: string;
  clientDataJSON: string;
};

/** Where pushes reach the device: the provider's token, or a browser's subscription. */
export type PushAddress = { pushToken: string } | { subscription: WebPushSubscription };

/** How the device describes itself at enrolment. */
export type DeviceDescription = {
  name: string;
  platform: Platform;
  pushToken?: string;
  subscription?: WebPushSubscription;
  model?: string;
  osVersion?: string;
  appVersion?: string;
  passkey?: PasskeyRegistration;
};

/** What the service calls an enrolled device, and where it enrolled. The ids are not for people: show the names. */
export type DeviceIdentity = {
  baseUrl: string;
  deviceId: string;
  tenantId: string;
  userId: string;
} & Partial<AccountNames>;

export const devicePaths = {
  settings: '/omi/device/settings',
  enrolments: '/omi/device/enrolments',
  preview: '/omi/device/enrolments/preview',
  tenant: (tenantId: string): string => `/omi/device/tenants/${encodeURIComponent(tenantId)}`,
  challenges: '/omi/device/challenges',
  response: (challengeId: string): string =>
    `/omi/device/challenges/${encodeURIComponent(challengeId)}/response`,
  pushToken: '/omi/device/push-token',
  name: '/omi/device/name',
  device: '/omi/device',
} as const;

type Described = Omit<DeviceDescription, 'platform'> & { platform: string };

export const enrolmentMessage = (code: string, description: Described): Message => {
  const { name, platform, pushToken, subscription, model, osVersion, appVersion, passkey } = description;
  const claims = { code, name, platform, pushToken, model, osVersion, appVersion, passkey };
  return {
    typ: 'omi-enrolment+jws',
    claims: { ...claims, subscription: subscription && subscriptionClaim(subscription) },
  };
};

/** A call without a body is bound to its method and URL. */
export const requestMessage = (method: 'GET' | 'DELETE', url: string): Message => ({
  typ: 'omi-request+jws',
  claims: { htm: method, htu: url },
});

type Answered = Pick<Challenge, 'challengeId' | 'messageHash' | 'contextHash' | 'detailsHash'>;

export const answerMessage = (challenge: Answered, answer: Answer): Message => {
  const { challengeId, messageHash, contextHash, detailsHash } = challenge;
  return {
    typ: 'omi-response+jws',
    claims: { challengeId, messageHash, contextHash, detailsHash, ...answerClaims(answer) },
  };
};

function answerClaims(answer: Answer): Record<string, unknown> {
  if (answer.decision === 'deny') return { decision: 'deny', reason: answer.reason };
  return { decision: 'confirm', number: answer.number, userVerification: answer.userVerification };
}

export const pushTokenMessage = (address: PushAddress): Message => ({
  typ: 'omi-push-token+jws',
  claims:
    'pushToken' in address
      ? { pushToken: address.pushToken }
      : { subscription: subscriptionClaim(address.subscription) },
});

export const nameMessage = (name: string): Message => ({ typ: 'omi-device-name+jws', claims: { name } });

/** Without what browsers add, such as `expirationTime`. */
function subscriptionClaim({ endpoint, keys }: WebPushSubscription) {
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new DeviceError('invalid-subscription');
  return { endpoint, keys: { p256dh, auth } };
}

/**
 * The claims of every call. The identity is missing at enrolment.
 *
 * @param jkt the thumbprint of the key that signs: a signature alone does not prove which key made it
 * @param issuedAt milliseconds since 1970
 */
export const commonClaims = (
  baseUrl: string,
  jkt: string,
  issuedAt: number,
  identity?: Omit<DeviceIdentity, 'baseUrl'>,
): Record<string, unknown> => ({
  iat: Math.floor(issuedAt / 1000),
  jti: crypto.randomUUID(),
  ...(identity && { iss: identity.deviceId, tid: identity.tenantId, sub: identity.userId }),
  aud: baseUrl,
  jkt,
});
