import { type TableDefinition, tables } from '../../../../core/aws/tables.ts';
import type { AwsError } from './errors.ts';
import { jsonError, jsonRefusals } from './errors.ts';
import { failItems, itemEntries } from './dynamodb-batch.ts';
import { asArray, asObject, type JsonObject, parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';
import { refersTo } from '../endpoint/resource-names.ts';

const definitions: [string, TableDefinition][] = Object.entries(tables);

/** DynamoDB and DynamoDB Streams: the emulator serves both on one port. */
export const dynamodb: Service = {
  name: 'dynamodb',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    const parts = transactionParts(operation, input);
    const tables = parts ? parts.map(({ resource }) => resource) : tablesOf(input);
    const entries = itemEntries(operation, input)?.length;
    return {
      operation,
      input,
      resources: [...new Set(tables)],
      ...(parts ? { parts, indexKeys: indexKeysOf(input) } : {}),
      ...(entries === undefined ? {} : { entries }),
    };
  },
  errors,
  render: (error) => jsonError({ ...error, code: `com.amazonaws.dynamodb.v20120810#${error.code}` }),
  failEntries: failItems,
};

function tablesOf(input: JsonObject): string[] {
  const { TableName: table, IndexName: index, RequestItems: batch } = input;
  const queried = strings(table).map((name) =>
    typeof index === 'string' ? `${tableName(name)}/index/${index}` : tableName(name),
  );
  const others = strings(input['StreamArn'], input['ResourceArn'], tableOfIterator(input['ShardIterator']));
  return [...queried, ...Object.keys(asObject(batch)).map(tableName), ...others.map(tableName)];
}

/** A table may be named by its ARN; a stream belongs to its table. */
function tableName(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? nameOrArn) : nameOrArn;
}

/** Shard iterators of DynamoDB Local contain the stream's ARN. */
function tableOfIterator(iterator: unknown): string | undefined {
  return typeof iterator === 'string' ? /arn:aws:dynamodb:[^|]*/.exec(iterator)?.[0] : undefined;
}

const partOperations: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** The keys in indexes of the items that a transaction puts. A throttled one rejects the whole transaction. */
function indexKeysOf(input: JsonObject): string[] {
  return asArray(input['TransactItems']).flatMap((item) => {
    const { TableName: named, Item: put } = asObject(asObject(item)['Put']);
    const [table = ''] = strings(named).map(tableName);
    return definitions.flatMap(([name, { index }]) => {
      const key = index && table.endsWith(`-${name}`) && asObject(asObject(put)[index.partitionKey])['S'];
      return typeof key === 'string' ? [`${table}/index/${index?.name ?? ''}/${key}`] : [];
    });
  });
}

function transactionParts(
  operation: string,
  input: JsonObject,
): { operation: string; resource: string }[] | undefined {
  if (operation !== 'TransactWriteItems' && operation !== 'TransactGetItems') return undefined;
  return asArray(input['TransactItems']).flatMap((item) => {
    const [[action, details] = ['', {}]] = Object.entries(asObject(item));
    const table = strings(asObject(details)['TableName']).map(tableName);
    return table.map((resource) => ({ operation: partOperations[action] ?? action, resource }));
  });
}

function errors(called: Operation, resource?: string): Errors {
  const table = String(called.resources[0]);
  return {
    ...jsonRefusals(`dynamodb:${called.operation}`, table),
    throttle: {
      status: 400,
      code: 'ProvisionedThroughputExceededException',
      message: 'The level of configured provisioned throughput for the table was exceeded.',
    },
    'not-found': { status: 400, code: 'ResourceNotFoundException', message: 'Requested resource not found' },
    unavailable: { status: 503, code: 'ServiceUnavailable', message: 'Service is temporarily unavailable' },
    conflict: conflict(called, resource),
  };
}

const ongoing = 'Transaction is ongoing for the item';

/** A transaction returns a reason for each of its items. The first item of the faulty table is in conflict. */
function conflict({ parts }: Operation, resource?: string): AwsError {
  if (!parts) return { status: 400, code: 'TransactionConflictException', message: ongoing };
  const conflicting = parts.findIndex((part) => refersTo(resource, part.resource));
  const reasons = parts.map((_, index) =>
    index === conflicting ? { Code: 'TransactionConflict', Message: ongoing } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return {
    status: 400,
    code: 'TransactionCanceledException',
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    details: { CancellationReasons: reasons },
  };
}
