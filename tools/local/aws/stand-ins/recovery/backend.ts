import type { AwsRequest, AwsResponse, Backend } from '../../endpoint/http.ts';
import { dynamodb } from '../../protocols/dynamodb.ts';
import { type JsonObject, jsonResponse, parseJson, asArray, asObject } from '../../protocols/json.ts';
import type { Log } from '../iam/evaluation.ts';
import type { Sessions } from '../sts/sessions.ts';
import { Backups } from './backups.ts';
import { Database } from './database.ts';
import { TablePolicies } from './table-policies.ts';
import type { Item } from './journal.ts';

/** A write: to which table, and the item or only its key. */
type WrittenItem = { table: string; item: Item };

/** What a call of DynamoDB writes; nothing for other calls. */
function writtenItems(operation: string, input: JsonObject): WrittenItem[] {
  const one = (request: JsonObject): WrittenItem => ({
    table: String(request['TableName']),
    item: asObject(request['Item'] ?? request['Key']),
  });
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [one(input)];
    case 'BatchWriteItem':
      return Object.entries(asObject(input['RequestItems'])).flatMap(([TableName, requests]) =>
        asArray(requests).map((request) => {
          const { PutRequest, DeleteRequest } = asObject(request);
          return one({ TableName, ...asObject(PutRequest ?? DeleteRequest) });
        }),
      );
    case 'TransactWriteItems':
      return asArray(input['TransactItems']).flatMap((action) => {
        const { Put, Update, Delete } = asObject(action);
        const write = Put ?? Update ?? Delete;
        return write === undefined ? [] : [one(asObject(write))];
      });
    default:
      return [];
  }
}

export type RecoveryOptions = { sessions: Pick<Sessions, 'identify'>; log: Log };

/**
 * What DynamoDB Local lacks to restore tables: point-in-time recovery, system backups, and resource policies; tags are accepted and
 * not kept. All of it is in memory: a stack that starts again has none.
 */
export function withRecovery(backend: Backend, { sessions, log }: RecoveryOptions): Backend {
  const database = new Database(backend);
  const backups = new Backups(database, log);
  const policies = new TablePolicies(sessions, log);
  const operations: Record<string, (input: JsonObject) => Promise<JsonObject>> = {
    ...backups.operations,
    ...policies.operations,
    // Nothing reads tags again.
    TagResource: async () => await Promise.resolve({}),
  };
  let turn: Promise<unknown> = Promise.resolve();

  /** Journaled writes come one after the other, so that the image after each is its own. */
  const journaled = async (request: AwsRequest): Promise<AwsResponse> => {
    const { operation, input } = parseJson(request);
    const response = await backend(request);
    if (response.status !== 200) return response;
    for (const { table, item } of writtenItems(operation, input)) {
      const journal = backups.journalOf(table);
      const key = journal?.keyOf(item);
      if (journal && key) journal.note(key, await database.find(table, key));
    }
    return response;
  };

  return async (request) => {
    if (policies.refuses(request))
      return dynamodb.render(dynamodb.errors(dynamodb.describe(request))['access-denied']);
    const { operation, input } = parseJson(request);
    const run = operations[operation];
    if (run) return jsonResponse(200, await run(input));
    const isJournaled = writtenItems(operation, input).some(({ table }) => backups.journalOf(table));
    if (!isJournaled) return await backend(request);
    const writing = turn.then(async () => await journaled(request));
    turn = writing.catch(() => undefined);
    return await writing;
  };
}
