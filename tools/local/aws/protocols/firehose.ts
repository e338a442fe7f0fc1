import { accountId, region } from '../identity.ts';
import { jsonError, jsonRefusals } from './errors.ts';
import { asArray, failListEntries, inPlace, type JsonObject, parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

const slowDown = { code: 'ServiceUnavailableException', message: 'Slow down.' };

export const firehose: Service = {
  name: 'firehose',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    const isBatch = operation === 'PutRecordBatch';
    return {
      operation,
      input,
      resources: strings(input['DeliveryStreamName'], input['DeliveryStreamARN']),
      ...(isBatch ? { entries: asArray(input['Records']).length } : {}),
    };
  },
  errors,
  actionOf: (called, account) => ({
    action: `firehose:${called.operation}`,
    resource: deliveryStreamArn(called, account),
  }),
  render: jsonError,
  failEntries: (batch, backend) => {
    const refused = { ErrorCode: slowDown.code, ErrorMessage: slowDown.message };
    const merge = (output: JsonObject, failed: ReadonlyMap<number, JsonObject>): JsonObject => ({
      Encrypted: false,
      ...output,
      RequestResponses: inPlace(
        output['RequestResponses'],
        new Map([...failed.keys()].map((index) => [index, refused])),
      ),
      FailedPutCount: Number(output['FailedPutCount'] ?? 0) + failed.size,
    });
    return failListEntries({ ...batch, entries: 'Records', merge }, backend);
  },
};

function errors({ operation, resources }: Operation): Errors {
  const stream = String(resources[0]);
  const isPut = operation.startsWith('Put');
  return {
    ...jsonRefusals(`firehose:${operation}`, stream),
    // Firehose returns too many records as an unavailable service, and too many control calls as throttling.
    throttle: isPut
      ? { status: 503, ...slowDown }
      : { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': {
      status: 400,
      code: 'ResourceNotFoundException',
      message: `Firehose ${stream} under account ${accountId} not found.`,
    },
    unavailable: { status: 503, ...slowDown },
  };
}

function deliveryStreamArn({ resources: [name] }: Operation, account: string): string | undefined {
  return name === undefined ? undefined : `arn:aws:firehose:${region}:${account}:deliverystream/${name}`;
}
