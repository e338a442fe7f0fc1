import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tableInput } from '../../../../tools/local/resources/tables.ts';
import { demoTable } from '../../../../pages/bank/lambda/tables.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

export const table = 'demo';

/** A fresh database with the demo bank's table. */
export async function demoDatabase(): Promise<DynamoDBDocumentClient> {
  const client = await testDatabase({});
  await client.send(new CreateTableCommand(tableInput(demoTable, table)));
  return client;
}
