import type { MiddlewareObj } from '@middy/core';
import { isUnauthenticated } from './unauthenticated.ts';
import { commonHeaders, json, type HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';

/** The form of API Gateway's own 401, so that callers see one form, whoever answers (RFC 9110, section 11.6.1). */
const unauthorized = json(
  401,
  { message: 'Unauthorized' },
  { ...commonHeaders, 'www-authenticate': 'Bearer error="invalid_token"' },
);

/**
 * Answers 401 where the authorizer let a call pass only for this answer. It stands before everything that reads the
 * request, in every API Lambda, so that no endpoint can forget it.
 */
export const rejectUnauthenticated: MiddlewareObj<ApiEvent, HttpResponse> = {
  before: ({ event }) =>
    isUnauthenticated(event.requestContext.authorizer?.lambda) ? { ...unauthorized } : undefined,
};
