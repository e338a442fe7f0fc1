import { CommandError } from '../command-error.ts';
import type { Session } from '../session.ts';
import type { TenantClient } from './client-store.ts';
import type { CognitoClient, SecretRef } from './cognito-client.ts';
import { clientView, describeCredentials, shownOnce } from './describe-client.ts';
import { poolOf, requireClient } from './pool-of.ts';

type Options = { client: string; finish?: true; cancel?: true };
type Rotation = {
  client: TenantClient;
  pool: CognitoClient;
  secrets: SecretRef[];
  tokenUrl: string | undefined;
};

/**
 * Two steps, so that no call fails in between: a second secret beside the first; and, when the website uses it, the end
 * of the first. Or of the second: one whose answer was lost is in nobody's hands.
 */
export async function rotateClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, options.client);
  const pool = poolOf(deployment);
  const secrets = await pool.secrets(client.clientId);
  const rotation = { client, pool, secrets, tokenUrl: deployment.tokenUrl };
  if (options.finish) await finish(session, rotation);
  else if (options.cancel) await cancel(session, rotation);
  else await begin(session, rotation);
}

async function begin(session: Session, { client, pool, secrets, tokenUrl }: Rotation): Promise<void> {
  const { clientId } = client;
  const rotate = `omi client rotate --client ${clientId}`;
  if (secrets.length > 1)
    throw new CommandError(
      `The client ${clientId} has two secrets already, the most that Cognito allows.`,
      `If the website uses the newer one: ${rotate} --finish\nIf the newer one was lost: ${rotate} --cancel`,
    );
  const clientSecret = await pool.addSecret(clientId);
  session.note(shownOnce);
  session.note(`The old one works, too, until: ${rotate} --finish`);
  session.print(
    { ...clientView(client), clientSecret, tokenUrl },
    describeCredentials({ clientId, clientSecret }, tokenUrl),
  );
}

const finish = async (session: Session, rotation: Rotation): Promise<void> =>
  await end(session, rotation, rotation.secrets.slice(0, -1), 'The old secret is deleted.');

const cancel = async (session: Session, rotation: Rotation): Promise<void> =>
  await end(
    session,
    rotation,
    rotation.secrets.slice(1),
    'The new secret is deleted, and the old one stays.',
  );

async function end(
  session: Session,
  { client, pool }: Rotation,
  ended: readonly SecretRef[],
  told: string,
): Promise<void> {
  for (const secret of ended) await pool.deleteSecret(client.clientId, secret);
  session.print(
    { ...clientView(client), deletedSecrets: ended.length },
    ended.length === 0 ? 'The client has one secret alone.' : told,
  );
}
