import { randomBytes } from 'node:crypto';
import { SecretBox, type SecretContext } from '../core/aws/secret-box-client.ts';
import type { SealedSecret } from '../core/outbound/sealed-secret.ts';
import type { Deployment } from './deployment/deployment.ts';

/** Bytes, as Standard Webhooks recommends: 24 to 64. */
const secretBytes = 32;

export type SigningSecret = { secret: string; sealed: SealedSecret };

/** A new secret that signs calls, and the same as it is stored. The operator cannot open what is stored. */
export async function newSigningSecret(
  { clients, secretsKeyId }: Deployment,
  context: SecretContext,
): Promise<SigningSecret> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const sealed = await new SecretBox(clients.kms, secretsKeyId()).seal(secret, context);
  return { secret, sealed: { sealed, createdAt: Date.now() } };
}
