import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddyfiedHandler } from '@middy/core';
import { hideErrorDetails } from './batch-lambda.ts';
import { logger } from '../kernel/observability.ts';

/** The one middleware stack of every Lambda that a schedule or a log calls. If it throws, Lambda retries it twice. */
export function scheduledLambda<Event = object>(
  handler: (event: Event) => Promise<void>,
): MiddyfiedHandler<Event, unknown> {
  const lambda = middy<Event, unknown>();
  lambda.use(injectLambdaContext(logger, { resetKeys: true }));
  lambda.use(hideErrorDetails);
  return lambda.handler(handler);
}
