import { secretContext } from '../../core/callbacks/receiver.ts';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { newSigningSecret } from '../signing-secret.ts';

export type CallbackSecret = { callbackSecret: string; sealed: SealedSecret };

/** A new secret that signs callbacks, and the same as it is stored. */
export async function newCallbackSecret(deployment: Deployment, clientId: string): Promise<CallbackSecret> {
  const { secret, sealed } = await newSigningSecret(deployment, secretContext(clientId));
  return { callbackSecret: secret, sealed };
}
