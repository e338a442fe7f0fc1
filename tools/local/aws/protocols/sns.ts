import { queryError } from './errors.ts';
import { strings } from './json.ts';
import { parseForm } from './query.ts';
import type { Errors, Operation, Service } from './service.ts';

export const sns: Service = {
  name: 'sns',
  describe: (request) => {
    const { operation, input } = parseForm(request);
    const { TargetArn, EndpointArn, PlatformApplicationArn, TopicArn } = input;
    return { operation, input, resources: strings(TargetArn, EndpointArn, PlatformApplicationArn, TopicArn) };
  },
  errors,
  render: queryError,
};

function errors({ operation, resources }: Operation): Errors {
  const resource = resources[0] ?? '*';
  return {
    // SNS sends this code; the documented `Throttled` is rare. SDKs retry both.
    throttle: { status: 400, code: 'Throttling', message: 'Rate exceeded' },
    'access-denied': {
      status: 403,
      code: 'AuthorizationError',
      message: `User is not authorized to perform: SNS:${operation} on resource: ${resource}`,
    },
    'not-found': { status: 404, code: 'NotFound', message: notFound(resource) },
    unavailable: { status: 503, code: 'ServiceUnavailable', message: 'Service is temporarily unavailable' },
    'expired-token': {
      status: 403,
      code: 'ExpiredToken',
      message: 'The security token included in the request is expired',
    },
    disabled: { status: 400, code: 'EndpointDisabled', message: 'Endpoint is disabled' },
  };
}

function notFound(resource: string): string {
  if (resource.includes(':endpoint/')) return 'Endpoint does not exist';
  return resource.includes(':app/') ? 'PlatformApplication does not exist' : 'Topic does not exist';
}
