import type { MiddlewareObj } from '@middy/core';
import { isObject } from '../kernel/json.ts';
import { commonHeaders, json, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';

/** The authorizer's context where the endpoint's Lambda must respond with 401. */
export type UnauthenticatedCaller = { unauthenticated: true };

export const isUnauthenticated = (caller: unknown): caller is UnauthenticatedCaller =>
  isObject(caller) && caller['unauthenticated'] === true;

/** The same response as API Gateway's own 401 (RFC 9110, section 11.6.1). */
const unauthorized = json(
  401,
  { message: 'Unauthorized' },
  { ...commonHeaders, 'www-authenticate': 'Bearer error="invalid_token"' },
);

/**
 * Responds with 401 where the authorizer accepted an invalid token only for this response. It runs before everything that
 * reads the request, in every API Lambda, so that no endpoint can forget it.
 */
export const rejectUnauthenticated: MiddlewareObj<ApiEvent, HttpResponse> = {
  before: ({ event }) =>
    isUnauthenticated(event.requestContext.authorizer?.lambda) ? { ...unauthorized } : undefined,
};
