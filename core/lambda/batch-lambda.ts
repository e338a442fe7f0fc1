import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddlewareObj, type MiddyfiedHandler } from '@middy/core';
import type { Context } from 'aws-lambda';
import { describeFault, logger } from '../kernel/observability.ts';

/** What a Lambda behind an event source answers: the records and messages that are to come again. */
export type BatchResponse = { batchItemFailures: { itemIdentifier: string }[] };

export const failures = (identifiers: readonly string[]): BatchResponse => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});

/** Lambda logs what a handler throws with its message, which may quote an item; its name is enough here. */
class BatchFailed extends Error {
  override readonly name = 'BatchFailed';
}

export const hideErrorDetails: MiddlewareObj = {
  onError: (request) => {
    logger.error('failed', { fault: describeFault(request.error) });
    request.error = new BatchFailed('The log has the reason.');
  },
};

/** The one middleware stack of every Lambda behind an event source. What it throws makes the whole batch come again. */
export function batchLambda<Event>(
  handler: (event: Event, context: Context) => Promise<BatchResponse>,
): MiddyfiedHandler<Event, BatchResponse> {
  const lambda = middy<Event, BatchResponse>();
  lambda.use(injectLambdaContext(logger, { resetKeys: true }));
  lambda.use(hideErrorDetails);
  return lambda.handler(handler);
}
