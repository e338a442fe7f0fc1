import { ListRolesCommand } from '@aws-sdk/client-iam';
import { ListStreamsCommand } from '@aws-sdk/client-kinesis';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { localDeployment } from '../../../cli/deployment/local-client.ts';
import type { TestStack } from '../../support/stack.ts';

const tables = ['tenants', 'devices', 'confirmations', 'enrolments'] as const;

/** What Lambdas of the background note and remove by themselves. */
const background = ['late-buckets', 'ailing-targets'];

/** @property ttl of an item that the table deletes by itself, in seconds since 1970 */
type Thing = { name: string; ttl?: number };

export type Standing = Record<string, Thing[]>;

/** Their names, but for what has expired by then. */
export const namesOf = (standing: Standing, now: number): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(standing).map(([kind, things]) => [
      kind,
      things
        .filter(({ ttl = Infinity }) => ttl * 1_000 > now)
        .map(({ name }) => name)
        .toSorted(),
    ]),
  );

/** What stands in a stack besides events: the keys of all items, the streams and the roles. */
export async function standingIn(stack: TestStack): Promise<Standing> {
  const deployment = await localDeployment({ OMI_STATE: stack.directory });
  const { clients, tables: names } = deployment;
  const keys = async (TableName: string): Promise<Thing[]> => {
    const { Items = [] } = await clients.dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
    return Items.filter(({ pk }) => !background.includes(String(pk))).map(({ pk, sk, ttl }) => ({
      name: `${String(pk)} ${String(sk)}`,
      ...(typeof ttl === 'number' && { ttl }),
    }));
  };
  try {
    const items = tables.map(async (table) => [table, await keys(names[table])] as const);
    const { StreamNames = [] } = await clients.kinesis.send(new ListStreamsCommand({}));
    const { Roles = [] } = await clients.iam.send(new ListRolesCommand({}));
    return {
      ...Object.fromEntries(await Promise.all(items)),
      streams: StreamNames.map((name) => ({ name })),
      roles: Roles.map(({ RoleName: name = '' }) => ({ name })),
    };
  } finally {
    clients.close();
  }
}
