import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { PublicEvent } from '../../../core/domain/event.ts';
import type { Confirmation } from '../../../local/client/contract.ts';
import { localTables } from '../../../local/tables.ts';
import type { TestStack } from '../../support/stack.ts';

const LONGEST_MS = 60_000;

/** What the service has recorded about confirmations of the demo tenant, read where the export reads it. */
export class RecordedEvents {
  readonly #stack: TestStack;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  /** In the order of their acceptance. */
  async of({ challengeId }: Confirmation): Promise<PublicEvent[]> {
    const [{ tenantId }] = this.#stack.file.tenants;
    const { Items = [] } = await this.#client().send(
      new QueryCommand({
        TableName: localTables.events,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': `${tenantId}#${challengeId}` },
        ConsistentRead: true,
      }),
    );
    return Items.toSorted((a, b) => (String(a['sequence']) < String(b['sequence']) ? -1 : 1))
      .flatMap((item) => item['events'] as { event: string }[])
      .map(({ event }) => JSON.parse(event) as PublicEvent);
  }

  async typesOf(confirmation: Confirmation): Promise<string[]> {
    return (await this.of(confirmation)).map(({ metadata }) => metadata.type);
  }

  /** Until a second event is there, or until the service is too late with it. */
  async ended(confirmation: Confirmation): Promise<PublicEvent[]> {
    const last = Date.parse(confirmation.expiresAt) + LONGEST_MS;
    for (;;) {
      const events = await this.of(confirmation);
      if (events.length > 1 || Date.now() > last) return events;
      await wait(50);
    }
  }

  #client(): DynamoDBDocumentClient {
    const { region, endpoints } = this.#stack.file.aws;
    const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
    return DynamoDBDocumentClient.from(
      new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
    );
  }
}
