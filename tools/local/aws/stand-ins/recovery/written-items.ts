import { asArray, asObject, type JsonObject } from '../../protocols/json.ts';
import type { Item } from './journal.ts';

/** A write: to which table, and the item or only its key. */
export type WrittenItem = { table: string; item: Item };

/** What a call of DynamoDB writes; nothing for other calls. */
export function writtenItems(operation: string, input: JsonObject): WrittenItem[] {
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
