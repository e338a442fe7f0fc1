import middy from '@middy/core';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import type { Context } from 'aws-lambda';
import { edgeOf } from './edge.ts';
import { commonHeaders, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';
import { respondToErrors } from './error-responses.ts';
import { jsonBody, signedBody, type JsonBodyOptions } from './request-bodies.ts';
import { requireCloudFront } from './require-cloudfront.ts';
import { rejectUnauthenticated } from './reject-unauthenticated.ts';
import { largestList, limitResponseSize } from './limit-response-size.ts';
import { logger } from '../kernel/observability.ts';

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
