import * as v from 'valibot';
import { websiteCaller, type WebsiteCaller } from '../tenants/tenant.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { HttpResponse } from './responses.ts';
import type { ApiEvent } from './api-event.ts';
import type { Handler } from './api-lambda.ts';
import { parseRequest, type Refuse, type RequestSchema } from './parse-request.ts';
import { requestContextOf } from './request-context.ts';

export type WebsiteContext = RequestContext & { caller: WebsiteCaller };

/** The authorizer's result is cached and may outlive the token. */
function callerOf(event: ApiEvent, now: number): WebsiteCaller {
  const caller = v.parse(websiteCaller, event.requestContext.authorizer?.lambda);
  if (caller.tokenExpiresAt * 1000 > now) return caller;
  throw new Refusal('unauthorized', 'The access token has expired.');
}

export type WebsiteOptions = { clock?: () => number; refuse?: Refuse };

/**
 * A handler for requests of websites. Checks that the token has not expired, and parses the request by its schema, which may
 * depend on the caller.
 */
export const websiteHandler =
  <const Schema extends RequestSchema>(
    schema: Schema | ((caller: WebsiteCaller) => Schema),
    handle: (request: v.InferOutput<Schema>, context: WebsiteContext) => Promise<HttpResponse>,
    { clock = Date.now, refuse }: WebsiteOptions = {},
  ): Handler =>
  async (event) => {
    const now = clock();
    const caller = callerOf(event, now);
    const { pathParameters: path = {}, queryStringParameters: query = {}, body } = event;
    const requestSchema = typeof schema === 'function' ? schema(caller) : schema;
    return await handle(parseRequest(requestSchema, { path, query, body }, refuse), {
      ...requestContextOf(event, now),
      caller,
    });
  };
