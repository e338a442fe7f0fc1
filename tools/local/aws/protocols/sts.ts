import { queryError } from './errors.ts';
import { strings } from './json.ts';
import { parseForm } from './query.ts';
import type { Errors, Operation, Service } from './service.ts';

/** The version of IAM's API, which answers at the endpoint of STS. */
export const iamVersion = '2010-05-08';

export const sts: Service = {
  name: 'sts',
  describe: (request) => {
    const { operation, input } = parseForm(request);
    // A fault that names a role applies when it is assumed, not when it is changed.
    if (input['Version'] === iamVersion) return { operation: `iam:${operation}`, input, resources: [] };
    return { operation, input, resources: strings(input['RoleArn']) };
  },
  errors,
  render: queryError,
};

function errors({ operation, resources }: Operation): Errors {
  const denied = {
    status: 403,
    code: 'AccessDenied',
    message: `User is not authorized to perform: sts:${operation} on resource: ${resources[0] ?? '*'}`,
  };
  return {
    throttle: { status: 400, code: 'Throttling', message: 'Rate exceeded' },
    'access-denied': denied,
    // STS does not reveal whether a role exists.
    'not-found': denied,
    unavailable: { status: 503, code: 'ServiceUnavailable', message: 'Service is temporarily unavailable' },
    'expired-token': {
      status: 403,
      code: 'ExpiredToken',
      message: 'The security token included in the request is expired',
    },
  };
}
