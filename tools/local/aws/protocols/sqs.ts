import { jsonError } from './errors.ts';
import { asArray, asObject, failListEntries, type JsonObject, parseJson, strings } from './json.ts';
import type { Errors, Operation, Service } from './service.ts';

const batches = /^(SendMessage|DeleteMessage|ChangeMessageVisibility)Batch$/;

export const sqs: Service = {
  name: 'sqs',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    const { QueueUrl, QueueName } = input;
    return {
      operation,
      input,
      resources: strings(QueueUrl, QueueName).map((name) => name.slice(name.lastIndexOf('/') + 1)),
      ...(batches.test(operation) ? { entries: asArray(input['Entries']).length } : {}),
    };
  },
  errors,
  render: (error) => jsonError({ ...error, code: `com.amazonaws.sqs#${error.code}` }),
  failEntries: (batch, backend) =>
    failListEntries({ ...batch, entries: 'Entries', merge: addFailed }, backend),
};

/** SQS identifies entries by id, not by position. */
function addFailed(output: JsonObject, failed: ReadonlyMap<number, JsonObject>): JsonObject {
  const failures = [...failed.values()].map((entry) => ({
    Id: asObject(entry)['Id'],
    SenderFault: false,
    Code: 'InternalError',
    Message: 'We encountered an internal error. Please try again.',
  }));
  return { Successful: [], ...output, Failed: [...asArray(output['Failed']), ...failures] };
}

function errors({ operation, resources }: Operation): Errors {
  const queue = String(resources[0]);
  return {
    throttle: {
      status: 403,
      code: 'RequestThrottled',
      queryCode: 'RequestThrottled',
      message: 'The request was denied due to request throttling.',
    },
    'access-denied': {
      status: 403,
      code: 'AccessDenied',
      queryCode: 'AccessDenied',
      message: `User is not authorized to perform: sqs:${operation} on resource: ${queue}`,
    },
    'not-found': {
      status: 400,
      code: 'QueueDoesNotExist',
      queryCode: 'AWS.SimpleQueueService.NonExistentQueue',
      message: 'The specified queue does not exist.',
    },
    unavailable: {
      status: 503,
      code: 'ServiceUnavailable',
      queryCode: 'ServiceUnavailable',
      message: 'The request has failed due to a temporary failure of the server.',
    },
    'expired-token': {
      status: 403,
      code: 'ExpiredToken',
      queryCode: 'ExpiredToken',
      message: 'The security token included in the request is expired',
    },
  };
}
