import { accountId, region } from '../identity.ts';
import { jsonError, jsonRefusals } from './errors.ts';
import { asArray, failListEntries, inPlace, type JsonObject, parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

export const kinesis: Service = {
  name: 'kinesis',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    const resources = strings(input['StreamName'], input['StreamARN']).map(streamName);
    const isBatch = operation === 'PutRecords';
    return { operation, input, resources, ...(isBatch ? { entries: asArray(input['Records']).length } : {}) };
  },
  errors,
  actionOf: (called, account) => ({
    action: `kinesis:${called.operation}`,
    resource: streamArn(called, account),
  }),
  render: jsonError,
  failEntries: (batch, backend) => {
    const refused = {
      ErrorCode: 'ProvisionedThroughputExceededException',
      ErrorMessage: rateExceeded(batch.operation),
    };
    const merge = (output: JsonObject, failed: ReadonlyMap<number, JsonObject>): JsonObject => ({
      ...output,
      Records: inPlace(output['Records'], new Map([...failed.keys()].map((index) => [index, refused]))),
      FailedRecordCount: Number(output['FailedRecordCount'] ?? 0) + failed.size,
    });
    return failListEntries({ ...batch, entries: 'Records', merge }, backend);
  },
};

function streamName(nameOrArn: string): string {
  return nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1);
}

function rateExceeded({ resources }: Operation): string {
  return `Rate exceeded for shard shardId-000000000000 in stream ${String(resources[0])} under account ${accountId}.`;
}

const dataOperations = /^(PutRecords?|GetRecords|GetShardIterator)$/;

function errors(called: Operation): Errors {
  const { operation, resources } = called;
  const stream = String(resources[0]);
  return {
    ...jsonRefusals(`kinesis:${operation}`, stream),
    throttle: dataOperations.test(operation)
      ? { status: 400, code: 'ProvisionedThroughputExceededException', message: rateExceeded(called) }
      : { status: 400, code: 'LimitExceededException', message: 'Rate exceeded' },
    'not-found': {
      status: 400,
      code: 'ResourceNotFoundException',
      message: `Stream ${stream} under account ${accountId} not found.`,
    },
    unavailable: { status: 503, code: 'ServiceUnavailable', message: 'Service is unavailable' },
    disabled: {
      status: 400,
      code: 'KMSDisabledException',
      message: 'The request was rejected because the specified customer master key (CMK) is not enabled.',
    },
  };
}

function streamArn({ input, resources: [name] }: Operation, account: string): string | undefined {
  const { StreamARN: arn } = input;
  if (typeof arn === 'string') return arn;
  return name === undefined ? undefined : `arn:aws:kinesis:${region}:${account}:stream/${name}`;
}
