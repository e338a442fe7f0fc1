import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { type TableDefinition, type TableName, tables as definitions } from '../../../core/aws/tables.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Check, Finding } from '../check.ts';
import { checkEach } from '../probe.ts';

const names = Object.keys(definitions) as TableName[];

/** Each is there, and has the stream and the time to live that the service counts on. */
export const tables: Check = {
  name: 'tables',
  look: async (deployment) =>
    await checkEach(names, {
      subjectOf: (name) => deployment.tables[name],
      look: async (name) => await lookAt(deployment, name),
      fix: 'Restore the table from its point-in-time recovery, under the same name.',
    }),
};

async function lookAt({ clients, tables: known }: Deployment, name: TableName): Promise<Finding> {
  const { stream, expires }: TableDefinition = definitions[name];
  const request = { TableName: known[name] };
  const { Table = {} } = await clients.tables.send(new DescribeTableCommand(request));
  const faults = [
    ...(Table.TableStatus === 'ACTIVE' ? [] : [`is ${Table.TableStatus ?? 'unknown'}`]),
    ...(stream && !Table.StreamSpecification?.StreamEnabled
      ? ['has its stream off: its events go nowhere']
      : []),
    ...(expires && !(await isExpiring(clients.tables, request))
      ? ['has its time to live off: nothing is forgotten']
      : []),
  ];
  const subject = known[name];
  if (faults.length === 0) return { subject, ok: true, detail: 'is active' };
  return {
    subject,
    ok: false,
    detail: faults.join(', '),
    fix: 'Deploy the stack anew: somebody changed the table.',
  };
}

async function isExpiring(
  client: Deployment['clients']['tables'],
  request: { TableName: string },
): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand(request));
  return TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED';
}
