import { encryptNotification } from '@block65/webcrypto-web-push';
import type { Subscription } from '../subscription.ts';
import { dataOf, type PushContent, tagOf } from './push-payload.ts';

/** Declarative Web Push (https://www.w3.org/TR/push-api/#declarative-push-message), which service workers read as well. */
const declarative = (content: PushContent, appUrl: string) => ({
  web_push: 8030,
  notification: {
    title: content.title,
    body: content.alert,
    navigate: 'notice' in content ? `${appUrl}/#/` : `${appUrl}/#/challenge/${content.challengeId}`,
    tag: tagOf(content),
    data: { ...dataOf(content), ...('inApp' in content && { inApp: true }) },
  },
});

/** A push replaces an earlier one with the same topic that was not delivered yet: at most 32 characters of base64url. */
const topicOf = (content: PushContent): string =>
  ('challengeId' in content ? content.challengeId : content.deviceId.replaceAll('-', '')).slice(0, 32);

/** What is left of the lifetime, in whole seconds. */
const timeToLive = (content: PushContent, now: number): number =>
  'notice' in content
    ? content.lifetimeSeconds
    : Math.max(0, Math.floor((Date.parse(content.expiresAt) - now) / 1000));

/** Headers (RFC 8030) and encrypted body (RFC 8291) of a push. The body has the same length for every message. */
export async function webPushMessage(
  { endpoint, keys }: Subscription,
  content: PushContent,
  { appUrl, now }: { appUrl: string; now: number },
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const plaintext = new TextEncoder().encode(JSON.stringify(declarative(content, appUrl)));
  const body = await encryptNotification({ endpoint, expirationTime: null, keys }, plaintext);
  return {
    headers: {
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': String(body.byteLength),
      ttl: String(timeToLive(content, now)),
      urgency: 'high',
      topic: topicOf(content),
    },
    body,
  };
}
