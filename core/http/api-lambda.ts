import middy, { type MiddlewareObj } from '@middy/core';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import type { Context } from 'aws-lambda';
import { edgeOf } from './edge.ts';
import { commonHeaders, type HttpResponse, problemResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';
import { respondToErrors } from './error-responses.ts';
import { jsonBody, signedBody, type JsonBodyOptions } from './request-bodies.ts';
import { requireCloudFront } from './require-cloudfront.ts';
import { rejectUnauthenticated } from './reject-unauthenticated.ts';
import { logger } from '../kernel/observability.ts';
import type { Logger } from '@aws-lambda-powertools/logger';
import { Refusal } from '../kernel/refusal.ts';

/** Bytes: far above nearly every intended response, far below Lambda's limit of 6 MB. */
const largestResponseBytes = 256 * 1024;
/** For responses that have long lists on purpose. */
export const largestList = 5_500_000;

/** Limits what a response can cost, should a caller find a way to choose its size. */
function limitResponseSize(
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
    request.response = problemResponse(refusal, request.event);
  };
  return { after: limit, onError: limit };
}

export type Handler = (event: ApiEvent, context: Context) => Promise<HttpResponse>;

/** Responds when only this much of the Lambda's time is left, before Lambda ends it without a response. */
const timeoutEarlyInMillis = 500;

const addHeaders = ({ response }: { response: HttpResponse | null }): void => {
  if (response) response.headers = { ...commonHeaders, ...response.headers };
};

/**
 * The one middleware stack of every API Lambda, outermost first. `after` and `onError` run from the inside out, so that
 * problem documents get the headers, too.
 *
 * @param respond turns errors into responses
 * @param largestResponse bytes
 */
export const apiStack = (respond = respondToErrors, largestResponse?: number) =>
  middy<ApiEvent, HttpResponse>({ timeoutEarlyInMillis })
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use({ after: addHeaders, onError: addHeaders })
    .use(limitResponseSize(logger, largestResponse))
    .use(respond(logger))
    .use(requireCloudFront(edgeOf(process.env)))
    .use(rejectUnauthenticated);

/** For endpoints without a body. */
export const bodilessLambda = (handler: Handler) => apiStack().handler(handler);

/** For endpoints without a body whose answers may be long lists. */
export const listLambda = (handler: Handler) => apiStack(respondToErrors, largestList).handler(handler);

/** For endpoints that take JSON: the event's body is the parsed value. */
export const jsonLambda = (handler: Handler, options?: JsonBodyOptions) =>
  apiStack().use(jsonBody(options)).handler(handler);

/** For endpoints that take a compact JWS: the event's body is the JWS. */
export const signedLambda = (handler: Handler) => apiStack().use(signedBody).handler(handler);
