import * as v from 'valibot';
import { staffMember, type StaffMember } from '../access/staff-member.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { ApiEvent } from './api-event.ts';
import type { Handler } from './api-lambda.ts';
import { parseRequest, type RequestSchema } from './parse-request.ts';
import { requestContextOf } from './request-context.ts';
import type { HttpResponse } from './responses.ts';

export type StaffContext = RequestContext & { member: StaffMember };

/** The authorizer's result is cached and may outlive the token. */
function memberOf(event: ApiEvent, now: number): StaffMember {
  const member = v.parse(staffMember, event.requestContext.authorizer?.lambda);
  if (member.tokenExpiresAt * 1000 > now) return member;
  throw new Refusal('unauthorized', 'The token has expired.');
}

/** A handler for requests of the help desk. The authorizer has checked the group of the route. */
export const staffHandler =
  <const Schema extends RequestSchema>(
    schema: Schema,
    handle: (request: v.InferOutput<Schema>, context: StaffContext) => Promise<HttpResponse>,
  ): Handler =>
  async (event) => {
    const now = Date.now();
    const member = memberOf(event, now);
    const { pathParameters: path = {}, queryStringParameters: query = {}, body } = event;
    return await handle(parseRequest(schema, { path, query, body }), {
      ...requestContextOf(event, now),
      member,
    });
  };
