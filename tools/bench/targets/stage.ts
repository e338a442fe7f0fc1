import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { createTables, localTables } from '../../local/resources/tables.ts';
import { measureCommands, type CommandRow } from './commands.ts';
import { measureExporter, measureTests } from './lambdas.ts';
import { Meter, type Row } from './meter.ts';
import { environmentIn, startSurroundings, type Database } from './place.ts';
import { targetsOf, withTrouble, writeTenants } from './targets.ts';

export type Size = {
  count: number;
  seed: number;
  /** The commands to measure. */
  commandsFor?: (tenantId: string) => string[];
};
export type Result = Pick<Size, 'count' | 'seed'> & { rows: Row[]; commands: CommandRow[] };

/** The Lambdas run in this process, one after the other. The CLI has the access key of an operator. */
export const operatorKey = 'OPERATOR';

export async function measureStage(
  database: Database,
  { count, seed, commandsFor = allCommands }: Size,
  progress: (line: string) => void,
): Promise<Result> {
  const surroundings = await startSurroundings();
  const meter = new Meter(progress);
  try {
    Object.assign(process.env, environmentIn(database, surroundings, localTables.tenants));
    await createTables(new DynamoDBClient());
    const dynamodb = documentClient();
    const targets = targetsOf(count, surroundings);
    await writeTenants(dynamodb, localTables.tenants, targets);
    await measureExporter(meter, count);
    await measureTests(meter, targets);
    await writeTenants(dynamodb, localTables.tenants, withTrouble(targets, seed));
    const commands = await measureCommands(commandsFor(targets[0]?.tenantId ?? ''), database, surroundings);
    return { count, seed, rows: meter.rows, commands };
  } finally {
    meter.stop();
    await surroundings.close();
  }
}

const allCommands = (tenantId: string): string[] => [
  `target status ${tenantId}`,
  'target status',
  'target status --json',
  'target list',
  'target list --waiting',
  'doctor',
];
