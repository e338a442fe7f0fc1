import type { Logger } from '@aws-lambda-powertools/logger';
import type { MiddlewareObj } from '@middy/core';
import { ConflictError } from '../kernel/conflict-error.ts';
import { Refusal } from '../kernel/refusal.ts';
import { describeFault } from '../kernel/observability.ts';
import { problemResponse, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';
import { problems } from './problems.ts';

/** Seconds: long enough for a throttled table to recover, short enough for a waiting user. */
const retryAfter = 2;

const unavailable = (cause: unknown): Refusal =>
  new Refusal('temporarily-unavailable', 'The service cannot answer now. Try the same call again.', {
    retryAfter,
    cause,
  });

/** Every unexpected error becomes `temporarily-unavailable`, without details. */
const asRefusal = (error: unknown): Refusal => (error instanceof Refusal ? error : unavailable(error));

/** With the `traceId` of the answer, by which an operator finds the line. */
function log(logger: Logger, refusal: Refusal, traceId: string): void {
  const outcome = { outcome: refusal.code, status: problems[refusal.code].status, traceId };
  if (refusal.code !== 'temporarily-unavailable') logger.info('refused', outcome);
  else if (refusal.cause instanceof ConflictError) logger.warn('conflict', outcome);
  else logger.error('failed', { ...outcome, fault: describeFault(refusal.cause) });
}

/** The one place where errors become responses: problem documents of RFC 9457. */
export const respondToErrors = (logger: Logger): MiddlewareObj<ApiEvent, HttpResponse> => ({
  onError: (request) => {
    const refusal = asRefusal(request.error);
    const { requestId: traceId } = request.event.requestContext;
    log(logger, refusal, traceId);
    request.response = problemResponse(refusal, request.event);
  },
});
