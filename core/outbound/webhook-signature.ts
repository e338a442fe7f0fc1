import { createHmac } from 'node:crypto';

/** The bytes of a secret `whsec_<base64>`. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

export type SignedMessage = {
  /** The receiver knows a repetition by it. */
  id: string;
  body: string | Uint8Array;
  /** All that are valid, so that the receiver may use any of them while one is replaced. */
  secrets: readonly string[];
};

/** The headers of Standard Webhooks (https://www.standardwebhooks.com): symmetric signatures, `v1`. */
export function signatureHeaders({ id, body, secrets }: SignedMessage, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${signature.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
