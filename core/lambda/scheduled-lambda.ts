import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddyfiedHandler } from '@middy/core';
import { hideErrorDetails } from './batch-lambda.ts';
import { logger } from '../kernel/observability.ts';

/** The one middleware stack of every scheduled Lambda. If it throws, Lambda retries it twice. */
export function scheduledLambda(handler: () => Promise<void>): MiddyfiedHandler<object, unknown> {
  const lambda = middy<object, unknown>();
  lambda.use(injectLambdaContext(logger, { resetKeys: true }));
  lambda.use(hideErrorDetails);
  return lambda.handler(handler);
}
