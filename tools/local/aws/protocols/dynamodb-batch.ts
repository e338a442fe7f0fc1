import type { AwsResponse, Backend } from '../endpoint/http.ts';
import { asArray, asObject, jsonResponse, type JsonObject, parseObject, withInput } from './json.ts';
import type { Batch } from './service.ts';

type Entry = { table: string; entry: unknown };

/** The writes or keys of a batch, in order; undefined for other operations. */
export function itemEntries(operation: string, input: JsonObject): Entry[] | undefined {
  if (operation !== 'BatchWriteItem' && operation !== 'BatchGetItem') return undefined;
  return Object.entries(asObject(input['RequestItems'])).flatMap(([table, request]) =>
    entriesOf(request).map((entry) => ({ table, entry })),
  );
}

/** BatchWriteItem has a list for each table; BatchGetItem has an object with `Keys` and read options. */
function entriesOf(request: unknown): unknown[] {
  return Array.isArray(request) ? request : asArray(asObject(request)['Keys']);
}

/** Returns the failing entries as unprocessed, as a throttled table does. */
export async function failItems(
  { request, operation, failing }: Batch,
  backend: Backend,
): Promise<AwsResponse> {
  const entries = itemEntries(operation.operation, operation.input) ?? [];
  const member = operation.operation === 'BatchWriteItem' ? 'UnprocessedItems' : 'UnprocessedKeys';
  const asked = asObject(operation.input['RequestItems']);
  const unprocessed = regroup(
    entries.filter((_, index) => failing.has(index)),
    asked,
  );
  const passed = regroup(
    entries.filter((_, index) => !failing.has(index)),
    asked,
  );
  if (Object.keys(passed).length === 0) return jsonResponse(200, { Responses: {}, [member]: unprocessed });
  const answer = await backend(withInput(request, { ...operation.input, RequestItems: passed }));
  if (answer.status !== 200) return answer;
  const output = parseObject(answer.body);
  return jsonResponse(200, { ...output, [member]: { ...asObject(output[member]), ...unprocessed } });
}

function regroup(entries: readonly Entry[], asked: JsonObject): JsonObject {
  const groups = Map.groupBy(entries, ({ table }) => table);
  return Object.fromEntries(
    [...groups].map(([table, members]) => {
      const list = members.map(({ entry }) => entry);
      const request = asked[table];
      return [table, Array.isArray(request) ? list : { ...asObject(request), Keys: list }];
    }),
  );
}
