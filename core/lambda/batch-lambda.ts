import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddlewareObj, type MiddyfiedHandler } from '@middy/core';
import type { Context } from 'aws-lambda';
import { describeFault, logger } from '../kernel/observability.ts';

/** The response to an event source: the records or messages to deliver again. */
export type BatchResponse = { batchItemFailures: { itemIdentifier: string }[] };

export const failures = (identifiers: readonly string[]): BatchResponse => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});

/** Replaces a handler's error, whose message Lambda would log and which may quote an item. */
class BatchFailed extends Error {
  override readonly name = 'BatchFailed';
}

export const hideErrorDetails: MiddlewareObj = {
  onError: (request) => {
    logger.error('failed', { fault: describeFault(request.error) });
    request.error = new BatchFailed('The log has the reason.');
  },
};

/** The one middleware stack of every Lambda with an event source. If it throws, the whole batch is delivered again. */
export function batchLambda<Event>(
  handler: (event: Event, context: Context) => Promise<BatchResponse>,
): MiddyfiedHandler<Event, BatchResponse> {
  const lambda = middy<Event, BatchResponse>();
  lambda.use(injectLambdaContext(logger, { resetKeys: true }));
  lambda.use(hideErrorDetails);
  return lambda.handler(handler);
}
