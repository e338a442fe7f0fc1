import { jsonError, jsonRefusals } from './errors.ts';
import { parseJson } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

export const cloudwatch: Service = {
  name: 'cloudwatch',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    return { operation, input, resources: ['*'] };
  },
  errors,
  render: jsonError,
};

function errors({ operation }: Operation): Errors {
  return {
    ...jsonRefusals(`cloudwatch:${operation}`, '*'),
    throttle: { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': { status: 404, code: 'ResourceNotFoundException', message: 'The metric does not exist.' },
    unavailable: { status: 500, code: 'InternalServiceFault', message: 'An internal error occurred.' },
  };
}
