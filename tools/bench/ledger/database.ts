import { CreateTableCommand, DynamoDBClient, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tables } from '../../../core/aws/tables.ts';
import { startDynamoDb } from '../../local/aws/emulators/dynamodb-local/start.ts';
import { tableInput } from '../../local/resources/tables.ts';

export const names = { events: 'events', former: 'former-events', ledger: 'ledger' } as const;

/** The index of the events table before `byAcceptance`. It copied whole items. */
export const formerIndex = { name: 'byHour', partitionKey: 'hour', sortKey: 'sequence' } as const;

export type Database = { client: DynamoDBDocumentClient; close: () => Promise<void> };

/** DynamoDB Local in memory, with the service's tables. Clients that this process and its children make use it. */
export async function startDatabase(): Promise<Database> {
  const local = await startDynamoDb({ sharedDb: true });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: local.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  // Without the service's limit of 2 s for a call: nobody waits for an answer while the tables are filled.
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  for (const input of [eventsTable(), formerTable(), tableInput(tables.ledger, names.ledger)])
    await client.send(new CreateTableCommand(input));
  return {
    client,
    close: async () => {
      client.destroy();
      await local.close();
    },
  };
}

/** Nobody reads the stream here, and it would hold each item once more. */
function withoutStream(input: CreateTableCommandInput): CreateTableCommandInput {
  return { ...input, StreamSpecification: undefined };
}

const eventsTable = (): CreateTableCommandInput => withoutStream(tableInput(tables.events, names.events));

/** The table before the index had only keys: the former index copies whole items. */
function formerTable(): CreateTableCommandInput {
  const { name, ...keys } = formerIndex;
  const definition = { ...tables.events, index: { ...tables.events.index, ...keys, name } };
  const input = withoutStream(tableInput(definition, names.former));
  const indexes = input.GlobalSecondaryIndexes?.map((index) => ({
    ...index,
    Projection: { ProjectionType: 'ALL' as const },
  }));
  return { ...input, GlobalSecondaryIndexes: indexes };
}
