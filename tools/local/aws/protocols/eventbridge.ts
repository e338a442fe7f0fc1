import { jsonError, jsonRefusals } from './errors.ts';
import { asArray, asObject, failListEntries, inPlace, type JsonObject, parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

export const eventbridge: Service = {
  name: 'eventbridge',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    const entries = asArray(input['Entries']).map(asObject);
    const named = [input['Name'], ...entries.map(({ EventBusName = 'default' }) => EventBusName)];
    const isBatch = operation === 'PutEvents';
    return {
      operation,
      input,
      resources: [...new Set(strings(...named))],
      ...(isBatch && { entries: entries.length }),
    };
  },
  errors,
  render: jsonError,
  actionOf: ({ operation, resources }) => ({ action: `events:${operation}`, resource: resources[0] }),
  failEntries: (batch, backend) => {
    const refused = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
    const merge = (output: JsonObject, failed: ReadonlyMap<number, JsonObject>): JsonObject => ({
      ...output,
      Entries: inPlace(output['Entries'], new Map([...failed.keys()].map((index) => [index, refused]))),
      FailedEntryCount: Number(output['FailedEntryCount'] ?? 0) + failed.size,
    });
    return failListEntries({ ...batch, entries: 'Entries', merge }, backend);
  },
};

function errors({ operation, resources }: Operation): Errors {
  const bus = String(resources[0]);
  return {
    ...jsonRefusals(`events:${operation}`, bus),
    throttle: { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': {
      status: 400,
      code: 'ResourceNotFoundException',
      message: `Event bus ${bus} does not exist.`,
    },
    unavailable: { status: 500, code: 'InternalException', message: 'An internal error occurred.' },
  };
}
