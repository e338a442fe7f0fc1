import type { MiddlewareObj } from '@middy/core';
import { Refusal } from '../domain/refusal.ts';
import { isUnauthenticated } from '../domain/unauthenticated.ts';
import type { ApiEvent } from './api-event.ts';

/**
 * Answers 401 where the authorizer let a call pass only for this answer. It stands before everything that reads the
 * request, in every API Lambda, so that no endpoint can forget it.
 */
export const refuseUnauthenticated: MiddlewareObj<ApiEvent> = {
  before: ({ event }) => {
    if (!isUnauthenticated(event.requestContext.authorizer?.lambda)) return;
    throw new Refusal('unauthorized', 'The access token is not valid.');
  },
};
