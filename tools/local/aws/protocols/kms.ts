import { jsonError, jsonRefusals } from './errors.ts';
import { parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

export const kms: Service = {
  name: 'kms',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    return { operation, input, resources: strings(input['KeyId'], input['TargetKeyId']) };
  },
  errors,
  render: jsonError,
};

function errors({ operation, resources: [key = ''] }: Operation): Errors {
  return {
    ...jsonRefusals(`kms:${operation}`, key),
    throttle: { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': { status: 400, code: 'NotFoundException', message: `Key '${key}' does not exist` },
    unavailable: { status: 500, code: 'KMSInternalException', message: 'An internal error occurred.' },
    disabled: { status: 400, code: 'DisabledException', message: `${key} is disabled.` },
  };
}
