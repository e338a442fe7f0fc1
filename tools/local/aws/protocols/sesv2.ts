import { jsonError, jsonRefusals } from './errors.ts';
import { asObject, parseObject, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

/** SES's REST API: only the sending of mails. A fault's resource is the address that they come from. */
export const sesv2: Service = {
  name: 'sesv2',
  describe: ({ body }) => {
    const input = parseObject(body);
    return { operation: 'SendEmail', input, resources: strings(asObject(input)['FromEmailAddress']) };
  },
  errors,
  render: jsonError,
};

function errors({ operation, resources }: Operation): Errors {
  return {
    ...jsonRefusals(`ses:${operation}`, String(resources[0])),
    throttle: { status: 429, code: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' },
    'not-found': { status: 404, code: 'NotFoundException', message: 'The identity does not exist.' },
    unavailable: {
      status: 500,
      code: 'InternalServiceErrorException',
      message: 'An internal error occurred.',
    },
  };
}
