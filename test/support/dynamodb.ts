import { randomBytes } from 'node:crypto';
import { CreateTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { type TableName, tables } from '../../core/aws/tables.ts';
import { tableInput } from '../../tools/local/resources/tables.ts';
import { sharedOfRun } from './run-services.ts';
import { noteDatabase } from './suite-databases.ts';

/**
 * A fresh database with the service's tables, and the service's own client of it. Clients that a test makes
 * after this call, for example by importing a Lambda, use the same database. Nothing is deleted when it expires: tests set their
 * own clocks, which DynamoDB Local does not follow.
 *
 * @param names of the tables, by their names in `tables.ts`; only these tables are made
 */
export async function testDatabase(
  names: Partial<Record<TableName, string>> = ownNames,
): Promise<DynamoDBDocumentClient> {
  useFreshDatabase(await sharedOfRun('dynamodb'));
  const client = documentClient();
  await Promise.all(
    Object.entries(names).map(async ([name, tableName]) => {
      await createTable(client, name as TableName, tableName);
    }),
  );
  return client;
}

/** A call that a busy machine answers late is made again, and finds the table made. */
export async function createTable(
  client: DynamoDBDocumentClient,
  name: TableName,
  tableName: string = name,
): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableInput(tables[name], tableName)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

const ownNames = Object.fromEntries(Object.keys(tables).map((name) => [name, name]));

/** DynamoDB Local has a database for each access key id, which may have letters and digits only. */
function useFreshDatabase(endpoint: string): void {
  const name = `test${randomBytes(8).toString('hex')}`;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  process.env['AWS_REGION'] ??= 'eu-central-1';
  process.env['AWS_ACCESS_KEY_ID'] = name;
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  noteDatabase({ endpoint, name });
}
