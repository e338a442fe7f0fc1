import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PublicEvent } from '../../../core/events/event.ts';
import type { Confirmation } from '../../../client/contract.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { eventually } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { storedIn } from '../../support/stored-events.ts';

type Asked = Pick<Confirmation, 'challengeId'>;

/** What the service has recorded about confirmations of the demo tenant, read where the export reads it. */
export class RecordedEvents {
  readonly #stack: TestStack;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  /** In the order of their acceptance. */
  async of({ challengeId }: Asked): Promise<PublicEvent[]> {
    const [{ tenantId }] = this.#stack.file.tenants;
    const stored = await storedIn(this.#client(), `${tenantId}#${challengeId}`, localTables.events);
    return stored.map((event) => JSON.parse(event) as PublicEvent);
  }

  async typesOf(asked: Asked): Promise<string[]> {
    return (await this.of(asked)).map(({ metadata }) => metadata.type);
  }

  /** As soon as a second event is there. */
  async ended(asked: Asked): Promise<PublicEvent[]> {
    return await eventually('the event of the end', async () => {
      const events = await this.of(asked);
      return events.length > 1 ? events : undefined;
    });
  }

  #client(): DynamoDBDocumentClient {
    const { region, endpoints } = this.#stack.file.aws;
    const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
    return DynamoDBDocumentClient.from(
      new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
    );
  }
}
