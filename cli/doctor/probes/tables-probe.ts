import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { type TableDefinition, type TableName, tables as definitions } from '../../../core/aws/tables.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkEach, type Finding, type Probe } from '../probe.ts';

const names = Object.keys(definitions) as TableName[];

/** Each table exists, with the stream and the time to live that the service relies on. */
export const tablesProbe: Probe = {
  name: 'tables',
  check: async (deployment) =>
    await checkEach(names, {
      subjectOf: (name) => deployment.tables[name],
      check: async (name) => await checkTable(deployment, name),
      fix: 'Bring it back as it was when it was deleted: docs/operations/restore.md.',
    }),
};

async function checkTable({ clients, tables: tableNames }: Deployment, name: TableName): Promise<Finding> {
  const { stream, expires }: TableDefinition = definitions[name];
  const request = { TableName: tableNames[name] };
  const { Table = {} } = await clients.tables.send(new DescribeTableCommand(request));
  const faults = [
    ...(Table.TableStatus === 'ACTIVE' ? [] : [`is ${Table.TableStatus ?? 'unknown'}`]),
    ...(stream && !Table.StreamSpecification?.StreamEnabled
      ? ['has no stream: its events are not exported']
      : []),
    ...(expires && !(await isExpiring(clients.tables, request))
      ? ['has no time to live: items are never deleted']
      : []),
  ];
  const subject = tableNames[name];
  if (faults.length === 0) return { subject, ok: true, detail: 'is active' };
  return {
    subject,
    ok: false,
    detail: faults.join(', '),
    fix: 'Deploy the stage again (npx cdk deploy --all): the table was changed.',
  };
}

async function isExpiring(
  client: Deployment['clients']['tables'],
  request: { TableName: string },
): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand(request));
  return TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED';
}
