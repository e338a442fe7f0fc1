import { ListRolesCommand } from '@aws-sdk/client-iam';
import { ListStreamsCommand } from '@aws-sdk/client-kinesis';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { localDeployment } from '../../../cli/deployment/local-client.ts';
import type { TestStack } from '../../support/stack.ts';

const tables = ['tenants', 'devices', 'confirmations', 'enrolments'] as const;

/** What a clock of the stack notes by itself. */
const clock = 'late-buckets';

/** What stands in a stack besides events: the keys of all items, the streams and the roles. */
export async function standingIn(stack: TestStack): Promise<Record<string, string[]>> {
  const deployment = await localDeployment({ OMI_STATE: stack.directory });
  const { clients, tables: names } = deployment;
  const keys = async (TableName: string): Promise<string[]> => {
    const { Items = [] } = await clients.dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
    return Items.filter(({ pk }) => pk !== clock)
      .map(({ pk, sk }) => `${String(pk)} ${String(sk)}`)
      .toSorted();
  };
  try {
    const items = tables.map(async (table) => [table, await keys(names[table])] as const);
    const { StreamNames = [] } = await clients.kinesis.send(new ListStreamsCommand({}));
    const { Roles = [] } = await clients.iam.send(new ListRolesCommand({}));
    return {
      ...Object.fromEntries(await Promise.all(items)),
      streams: StreamNames.toSorted(),
      roles: Roles.map(({ RoleName = '' }) => RoleName).toSorted(),
    };
  } finally {
    clients.close();
  }
}
