import type { Logger } from '@aws-lambda-powertools/logger';
import type { MiddlewareObj } from '@middy/core';
import { Refusal } from '../kernel/refusal.ts';
import { problemResponse, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';

/** Bytes: far above nearly every intended response, far below Lambda's limit of 6 MB. */
const largestResponseBytes = 256 * 1024;
/** For responses that have long lists on purpose. */
export const largestList = 5_500_000;

/** Limits what a response can cost, should a caller find a way to choose its size. */
export function limitResponseSize(
  logger: Logger,
  largest = largestResponseBytes,
): MiddlewareObj<ApiEvent, HttpResponse> {
  const limit = (request: { event: ApiEvent; response?: HttpResponse | null | undefined }): void => {
    const size = Buffer.byteLength(request.response?.body ?? '');
    if (size <= largest) return;
    const { requestId: traceId } = request.event.requestContext;
    logger.error('failed', { outcome: 'response-too-large', size, traceId });
    const refusal = new Refusal('temporarily-unavailable', 'The response would be too large.', {
      retryAfter: 60,
    });
    request.response = problemResponse(refusal, traceId);
  };
  return { after: limit, onError: limit };
}
