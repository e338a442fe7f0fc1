import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../core/aws/secret-box-client.ts';
import { type SealedSecret, secretContext } from '../../core/callbacks/receiver.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Bytes, as Standard Webhooks recommends: 24 to 64. */
const secretLength = 32;

export type CallbackSecret = { callbackSecret: string; sealed: SealedSecret };

/** A new secret that signs call-backs, and the same as it is stored. The operator cannot open what is stored. */
export async function newCallbackSecret(
  { clients, secretsKeyId }: Deployment,
  clientId: string,
): Promise<CallbackSecret> {
  const callbackSecret = `whsec_${randomBytes(secretLength).toString('base64')}`;
  const box = new SecretBox(clients.kms, secretsKeyId());
  const sealed = await box.seal(callbackSecret, secretContext(clientId));
  return { callbackSecret, sealed: { sealed, createdAt: Date.now() } };
}
