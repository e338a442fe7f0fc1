import { CallbackStore } from '../../core/callbacks/callback-store.ts';
import type { Receiver } from '../../core/callbacks/receiver.ts';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { newCallbackSecret } from './callback-secret.ts';
import { printSecrets } from './describe-client.ts';
import { noCallbacks } from './describe-receiver.ts';
import { hintOf, printDeleted, type RotationStep } from './rotation.ts';
import type { TenantClient } from './tenant-client.ts';

/** The secret that signs callbacks. With two, each callback has two signatures. */
export async function rotateCallbackSecret(
  session: Session,
  deployment: Deployment,
  client: TenantClient,
  step: RotationStep,
): Promise<void> {
  const { callback } = client;
  if (!callback) throw noCallbacks(client.clientId, deployment);
  if (step === 'begin') await addSecond(session, deployment, client, callback);
  else await deleteOne(session, deployment, { client, callback, step });
}

async function addSecond(
  session: Session,
  deployment: Deployment,
  client: TenantClient,
  callback: Receiver,
): Promise<void> {
  const rotate = `omi client rotate ${client.clientId} --callback ${deployment.selector}`;
  if (callback.secrets.length > 1)
    throw new CommandError(`The callbacks of ${client.clientId} already have two secrets.`, hintOf(rotate));
  const { callbackSecret, sealed } = await newCallbackSecret(deployment, client.clientId);
  await replaceSecrets(deployment, callback, [sealed, ...callback.secrets]);
  session.note(`The old secret still signs, too. To delete it: ${rotate} --finish`);
  printSecrets(session, deployment, { client, callbackSecret });
}

type Deletion = { client: TenantClient; callback: Receiver; step: 'finish' | 'cancel' };

async function deleteOne(
  session: Session,
  deployment: Deployment,
  { client, callback, step }: Deletion,
): Promise<void> {
  const { secrets } = callback;
  const kept = step === 'finish' ? secrets.slice(0, 1) : secrets.slice(-1);
  const deleted = secrets.length - kept.length;
  if (deleted > 0) await replaceSecrets(deployment, callback, kept);
  printDeleted(session, client, { deleted, step });
}

async function replaceSecrets(
  { clients, tables }: Deployment,
  seen: Receiver,
  secrets: readonly SealedSecret[],
): Promise<void> {
  if (await new CallbackStore(clients.dynamodb, tables.tenants).replaceSecrets(seen, secrets)) return;
  throw new CommandError(
    'The callbacks of the client were changed at the same time.',
    'Run the command again.',
  );
}
