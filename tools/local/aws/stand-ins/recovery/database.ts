import { setTimeout } from 'node:timers/promises';
import type { Backend } from '../../endpoint/http.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, type JsonObject, parseObject } from '../../protocols/json.ts';
import type { Item } from './journal.ts';

const headers = {
  'content-type': 'application/x-amz-json-1.0',
  authorization:
    'AWS4-HMAC-SHA256 Credential=RECOVERY/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

/** The most writes of a BatchWriteItem. */
const batchOfItems = 25;
const pauseMs = 20;

/** The emulator, called by a stand-in that adds to it. */
export class Database {
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** @throws {AwsServiceError} with what the emulator answered */
  async call(operation: string, input: JsonObject): Promise<JsonObject> {
    const { status, body } = await this.#backend({
      method: 'POST',
      url: '/',
      headers: { ...headers, 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: Buffer.from(JSON.stringify(input)),
    });
    const answer = parseObject(body);
    if (status === 200) return answer;
    const code = String(answer['__type']).split('#').at(-1) ?? '';
    throw new AwsServiceError(status, code, String(answer['message'] ?? answer['Message']));
  }

  async describe(TableName: string): Promise<JsonObject> {
    return asObject((await this.call('DescribeTable', { TableName }))['Table']);
  }

  async scan(TableName: string): Promise<Item[]> {
    const items: Item[] = [];
    let after: unknown;
    do {
      const page = await this.call('Scan', {
        TableName,
        ConsistentRead: true,
        ...(after !== undefined && { ExclusiveStartKey: after }),
      });
      items.push(...asArray(page['Items']).map(asObject));
      after = page['LastEvaluatedKey'];
    } while (after !== undefined);
    return items;
  }

  async find(TableName: string, Key: Item): Promise<Item | undefined> {
    const { Item } = await this.call('GetItem', { TableName, Key, ConsistentRead: true });
    return Item === undefined ? undefined : asObject(Item);
  }

  async fill(TableName: string, items: readonly Item[]): Promise<void> {
    for (let begin = 0; begin < items.length; begin += batchOfItems) {
      let left: JsonObject = {
        [TableName]: items.slice(begin, begin + batchOfItems).map((Item) => ({ PutRequest: { Item } })),
      };
      while (Object.keys(left).length > 0) {
        left = asObject((await this.call('BatchWriteItem', { RequestItems: left }))['UnprocessedItems']);
        if (Object.keys(left).length > 0) await setTimeout(pauseMs);
      }
    }
  }
}
