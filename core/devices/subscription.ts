import { ECDH } from 'node:crypto';
import * as v from 'valibot';
import { isAllowedEndpoint, type PushServices } from './push-services.ts';

/** A browser's push subscription: `PushSubscription.toJSON()` of the Push API, without `expirationTime`. */
export type Subscription = {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** {@link serverKeyIdOf} the stage's key when it came: a push service refuses pushes of any other. */
  serverKeyId?: string;
};

/** Tells the stage's keys apart. The first of the characters is the same in all. */
export const serverKeyIdOf = (applicationServerKey: string): string => applicationServerKey.slice(0, 12);

const longestEndpoint = 2048;

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Unpadded, and only one text per value. */
const isBase64url = (text: string): boolean => bytesOf(text).toString('base64url') === text;

/** Not the point at infinity, and not a point of another curve, by which the private key of a message could be found. */
function isPoint(text: string): boolean {
  const bytes = bytesOf(text);
  if (!isBase64url(text) || bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

const isSecret = (text: string): boolean => isBase64url(text) && bytesOf(text).length === 16;

/** The keys of RFC 8291, section 2. */
const keys = v.object({
  p256dh: v.pipe(
    v.string(),
    v.check(isPoint, 'expected an uncompressed point of P-256: 65 bytes in base64url'),
  ),
  auth: v.pipe(v.string(), v.check(isSecret, 'expected 16 bytes in base64url')),
});

/** @param services where its endpoint may be */
export const subscriptionSchema = (services: PushServices) =>
  v.pipe(
    v.object({
      endpoint: v.pipe(
        v.string(),
        v.maxLength(longestEndpoint, `expected at most ${longestEndpoint} characters`),
        v.check(
          (endpoint) => isAllowedEndpoint(endpoint, services),
          'expected the https URL of a known push service, on port 443 and without user information',
        ),
      ),
      keys,
    }),
    v.transform((subscription): Subscription => {
      const { applicationServerKey: key } = services;
      return key === undefined ? subscription : { ...subscription, serverKeyId: serverKeyIdOf(key) };
    }),
  );
