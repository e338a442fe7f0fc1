/** Push subscriptions of browsers. */
import type { JsonObject } from './json.ts';
import { otherKey, type PublicJwk } from './keys.ts';

/** An uncompressed point: 4, x and y. */
const pointOf = ({ x, y }: PublicJwk): string =>
  Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  );

const keys = { p256dh: pointOf(otherKey.publicJwk), auth: Buffer.alloc(16, 7).toString('base64url') };

export const subscription = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABf',
  keys,
};

const at = (endpoint: string): JsonObject => ({ endpoint, keys });
const withKeys = (others: JsonObject): JsonObject => ({ ...subscription, keys: { ...keys, ...others } });

export const invalidSubscriptions: Record<string, JsonObject> = {
  'an endpoint without TLS': at('http://updates.push.services.mozilla.com/wpush/v2/gAAAAABf'),
  'an endpoint of an unknown push service': at('https://push.attacker.example/x'),
  'an endpoint whose host only begins like a push service': at(
    'https://fcm.googleapis.com.attacker.example/x',
  ),
  'an endpoint at another port': at('https://fcm.googleapis.com:8443/x'),
  'an endpoint with user information': at('https://user@fcm.googleapis.com/x'),
  'an endpoint that is no URL': at('fcm.googleapis.com/x'),
  'a key that is no point on the curve': withKeys({
    p256dh: pointOf({ ...otherKey.publicJwk, y: otherKey.publicJwk.x }),
  }),
  'a key with padding': withKeys({ p256dh: `${keys.p256dh}=` }),
  'a secret of 15 bytes': withKeys({ auth: Buffer.alloc(15, 7).toString('base64url') }),
  'no keys': { endpoint: subscription.endpoint },
};
