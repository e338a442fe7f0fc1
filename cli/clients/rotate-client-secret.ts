import { secretHashOf } from '../../core/access/client-secret.ts';
import type { StoredSecret } from '../../core/access/registered-client.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { clientStoreOf } from './client-store.ts';
import { type CognitoClient, cognitoClientOf, type SecretRef } from './cognito-client.ts';
import { printSecrets } from './describe-client.ts';
import { hintOf, printDeleted, type RotationStep } from './rotation.ts';
import type { TenantClient } from './tenant-client.ts';

type Rotation = {
  client: TenantClient;
  pool: CognitoClient;
  /** Oldest first. */
  secrets: SecretRef[];
  deployment: Deployment;
};

/** The secret by which the client gets its tokens. The user pool has it, and the tenants table has its hash. */
export async function rotateClientSecret(
  session: Session,
  deployment: Deployment,
  client: TenantClient,
  step: RotationStep,
): Promise<void> {
  const pool = cognitoClientOf(deployment);
  const secrets = await pool.secrets(client.clientId);
  const rotation = { client, pool, secrets, deployment };
  if (step === 'begin') await addSecond(session, rotation);
  else await deleteOne(session, rotation, step);
}

async function addSecond(session: Session, { client, pool, secrets, deployment }: Rotation): Promise<void> {
  const rotate = `omi client rotate ${client.clientId} ${deployment.selector}`;
  if (secrets.length > 1)
    throw new CommandError(
      `The client ${client.clientId} already has two secrets. Cognito allows no more.`,
      hintOf(rotate),
    );
  const { secretId, clientSecret } = await pool.addSecret(client.clientId);
  const added = { id: secretId, hash: secretHashOf(clientSecret) };
  try {
    await storeSecrets(deployment, client, [added, ...knownOf(client, secrets)]);
  } catch (error) {
    // Nobody has seen it. The command can be run again.
    await pool.deleteSecret(client.clientId, { secretId });
    throw error;
  }
  session.note(`The old secret still works. To delete it: ${rotate} --finish`);
  printSecrets(session, deployment, { client, clientSecret, tokenUrl: deployment.tokenUrl });
}

async function deleteOne(session: Session, rotation: Rotation, step: 'finish' | 'cancel'): Promise<void> {
  const { client, pool, secrets, deployment } = rotation;
  const deleted = step === 'finish' ? secrets.slice(0, -1) : secrets.slice(1);
  for (const secret of deleted) await pool.deleteSecret(client.clientId, secret);
  // Also if none was deleted: an earlier attempt may have ended in between.
  const kept = secrets.filter((secret) => !deleted.includes(secret));
  await storeSecrets(deployment, client, knownOf(client, kept));
  printDeleted(session, client, { deleted: deleted.length, step });
}

/** What is stored of those secrets that the pool has. */
const knownOf = ({ oauth }: TenantClient, valid: readonly SecretRef[]): StoredSecret[] =>
  (oauth?.secrets ?? []).filter(({ id }) => valid.some(({ secretId }) => secretId === id));

async function storeSecrets(
  deployment: Deployment,
  client: TenantClient,
  secrets: StoredSecret[],
): Promise<void> {
  if (await clientStoreOf(deployment).change(client, { oauth: { secrets } })) return;
  throw new CommandError(`The client ${client.clientId} was deleted at the same time.`);
}
