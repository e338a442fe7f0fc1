import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type TableDefinition, type TableName, tables } from '../../../core/aws/tables.ts';

const tableNames = Object.keys(tables) as TableName[];

/** Those that a restore made, as `data.tables` of a stage names them. */
const restoredTables = JSON.parse(process.env['OMI_TABLES'] ?? '{}') as Partial<Record<TableName, string>>;

/** The names of the tables on the local stack. */
export const localTables = {
  ...Object.fromEntries(tableNames.map((name) => [name, `omi-local-${name}`])),
  ...restoredTables,
} as Record<TableName, string>;

/** Creates the missing tables. */
export async function createTables(client: DynamoDBClient): Promise<void> {
  await Promise.all(
    tableNames.map(async (name) => {
      const isNew = await create(client, tableInput(tables[name], localTables[name]));
      if (isNew && tables[name].expires) await enableExpiry(client, localTables[name]);
    }),
  );
}

async function create(client: DynamoDBClient, input: CreateTableCommandInput): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

async function enableExpiry(client: DynamoDBClient, TableName: string): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

const views = { new: 'NEW_IMAGE', 'new-and-old': 'NEW_AND_OLD_IMAGES' } as const;

/** The input of CreateTable. */
export function tableInput(definition: TableDefinition, TableName: string): CreateTableCommandInput {
  const { sorted, stream, index } = definition;
  const attributes = ['pk', ...(sorted ? ['sk'] : []), ...(index ? [index.partitionKey, index.sortKey] : [])];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema('pk', sorted ? 'sk' : undefined),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: views[stream] } }),
    ...(index && {
      GlobalSecondaryIndexes: [
        {
          IndexName: index.name,
          KeySchema: keySchema(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.copies] },
        },
      ],
    }),
  };
}

const keySchema = (partitionKey: string, sortKey?: string): CreateTableCommandInput['KeySchema'] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
];
