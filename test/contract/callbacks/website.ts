/** A tenant's client with a receiver of callbacks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { WebsiteClient } from '../../../client/website-client.ts';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { SecretBox } from '../../../core/aws/secret-box-client.ts';
import { CallbackQueue } from '../../../core/callbacks/callback-queue.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import {
  pingContext,
  type Receiver as StoredReceiver,
  secretContext,
} from '../../../core/callbacks/receiver.ts';
import { WaitingStore } from '../../../core/callbacks/waiting-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { localKeys } from '../../../tools/local/resources/kms-keys.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { until } from '../../support/waiting.ts';

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };

export function databaseOf({ file: { aws } }: TestStack): DynamoDBDocumentClient {
  const { region, endpoints } = aws;
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
  );
}

export class CallbackWebsite {
  readonly secret = newSecret();
  readonly tenantId: string;
  readonly clientId: string;
  readonly client: WebsiteClient;
  readonly #stack: TestStack;

  private constructor(stack: TestStack, made: Pick<CallbackWebsite, 'tenantId' | 'clientId' | 'client'>) {
    this.#stack = stack;
    this.tenantId = made.tenantId;
    this.clientId = made.clientId;
    this.client = made.client;
  }

  /** A tenant of its own, whose users may be asked often. */
  static async open(stack: TestStack, url: string): Promise<CallbackWebsite> {
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>(
      ...[
        'tenant',
        'create',
        '--name',
        'Website with callbacks',
        '--per-ten-minutes',
        '100',
        '--per-day',
        '100',
      ],
    );
    const made = await json<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
    );
    const client = new WebsiteClient({ ...stack.file, ...made });
    const website = new CallbackWebsite(stack, { tenantId, clientId: made.clientId, client });
    await website.register(url);
    return website;
  }

  /** Before the first call, as the API remembers its callers. */
  async register(url: string): Promise<void> {
    const { clientId, tenantId } = this;
    const sealed = await this.#box.seal(this.secret, secretContext(clientId));
    const secrets = [{ sealed, createdAt: Date.now() }];
    const hasCallback = {
      Update: {
        TableName: localTables.tenants,
        Key: tenantKeys.client(clientId),
        UpdateExpression: 'SET callback = :true',
        ExpressionAttributeValues: { ':true': true },
      },
    };
    const registration = this.#store.registration(
      'callback',
      { clientId, tenantId, url, secrets },
      Date.now(),
    );
    await transact(databaseOf(this.#stack), [registration, hasCallback]);
  }

  async registerPings(url: string): Promise<void> {
    const { clientId, tenantId } = this;
    await transact(databaseOf(this.#stack), [
      this.#store.registration('ping', { clientId, tenantId, url }, Date.now()),
    ]);
  }

  /** As a request by CIBA with a notification token, beside the callback. */
  async willBePinged(challengeId: string): Promise<void> {
    const asked = { authReqId: `id-of-${challengeId}`, token: 'a-notification-token' };
    const ping = await this.#box.seal(JSON.stringify(asked), pingContext(challengeId));
    await databaseOf(this.#stack).send(
      new UpdateCommand({
        TableName: localTables.confirmations,
        Key: { pk: challengeId },
        UpdateExpression: 'SET ping = :ping, notify = :both',
        ExpressionAttributeValues: { ':ping': ping, ':both': 'both' },
      }),
    );
  }

  async receiver(): Promise<StoredReceiver | undefined> {
    return await this.#store.get('callback', this.clientId);
  }

  /** Until the receiver is as expected. */
  async until(isSo: (receiver: StoredReceiver) => boolean): Promise<void> {
    await until(async () => {
      const receiver = await this.receiver();
      return receiver !== undefined && isSo(receiver);
    });
  }

  async waiting(): Promise<number> {
    const store = new WaitingStore(databaseOf(this.#stack), localTables.attempts);
    return await store.count({ kind: 'callback', clientId: this.clientId });
  }

  /** As an operator asks for it, and its result. */
  async testCall(): Promise<StoredReceiver['lastTest']> {
    const { clientId } = this;
    const testId = randomUUID();
    const { region, endpoints } = this.#stack.file.aws;
    const client = new SQSClient({ region, endpoint: endpoints.sqs, credentials });
    const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: localQueues.retries }));
    await new CallbackQueue(client, QueueUrl).send([{ kind: 'test', testId, clientId }]);
    client.destroy();
    await this.until(({ lastTest }) => lastTest?.id === testId);
    return (await this.receiver())?.lastTest;
  }

  get #store(): CallbackStore {
    return new CallbackStore(databaseOf(this.#stack), localTables.tenants);
  }

  get #box(): SecretBox {
    const { region, endpoints } = this.#stack.file.aws;
    return new SecretBox(new KMSClient({ region, endpoint: endpoints.kms, credentials }), localKeys.secrets);
  }
}
