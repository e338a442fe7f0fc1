import type { Session } from '../session.ts';
import { clientsOf, poolOf } from './pool-of.ts';

type Options = { client: string; yes?: true };

/** First the item, which shuts the client out; then the client. What is gone already is no fault. */
export async function deleteClient(session: Session, { client: clientId, yes }: Options): Promise<void> {
  const deployment = await session.deployment();
  const directory = clientsOf(deployment);
  const client = await directory.find(clientId);
  const whose = client ? ` of tenant ${client.tenantId}` : '';
  await session.confirm(`Shut the client ${clientId}${whose} out for good?`, yes);
  if (client) await directory.remove(client);
  if (deployment.userPoolId !== undefined) await poolOf(deployment).delete(clientId);
  session.note('Tokens that it has, and the memory of the API, let it in for 5 minutes more.');
  session.print({ clientId, deleted: client !== undefined }, client ? 'Deleted.' : 'It was gone already.');
}
