import { jsonError, jsonRefusals } from './errors.ts';
import { parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

export const secretsmanager: Service = {
  name: 'secretsmanager',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    return { operation, input, resources: strings(input['SecretId'], input['Name']) };
  },
  errors,
  render: jsonError,
};

function errors({ operation, resources }: Operation): Errors {
  return {
    ...jsonRefusals(`secretsmanager:${operation}`, String(resources[0])),
    throttle: { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': {
      status: 400,
      code: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret.",
    },
    unavailable: {
      status: 500,
      code: 'InternalServiceError',
      message: 'An error occurred on the server side.',
    },
  };
}
