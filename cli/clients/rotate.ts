import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';
import { clientView, describeCredentials, shownOnce } from './describe-client.ts';
import { poolOf, requireClient } from './pool-of.ts';

type Options = { client: string; finish?: true };

/**
 * Two steps, so that no call fails in between: a second secret beside the first; and, when the website uses it, the end
 * of the first.
 */
export async function rotateClient(session: Session, { client: clientId, finish }: Options): Promise<void> {
  await (finish ? finishRotation : beginRotation)(session, clientId);
}

async function beginRotation(session: Session, clientId: string): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, clientId);
  const pool = poolOf(deployment);
  const secrets = await pool.secrets(clientId);
  if (secrets.length > 1)
    throw new Failure(
      `The client ${clientId} has two secrets already, the most that Cognito allows.`,
      `If the website uses the newer one: omi client rotate --client ${clientId} --finish`,
    );
  const clientSecret = await pool.addSecret(clientId);
  session.note(shownOnce);
  session.note(`The old one works, too, until: omi client rotate --client ${clientId} --finish`);
  session.print(
    { ...clientView(client), clientSecret, tokenUrl: deployment.tokenUrl },
    describeCredentials({ clientId, clientSecret }, deployment.tokenUrl),
  );
}

async function finishRotation(session: Session, clientId: string): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, clientId);
  const pool = poolOf(deployment);
  const old = (await pool.secrets(clientId)).slice(0, -1);
  for (const secret of old) await pool.deleteSecret(clientId, secret);
  session.print(
    { ...clientView(client), deletedSecrets: old.length },
    old.length === 0 ? 'The client has one secret alone.' : 'The old secret is deleted.',
  );
}
