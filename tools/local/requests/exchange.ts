import type { RouteDefinition } from '../../../lambdas/routes.ts';
import type { GatewayRequest } from '../gateway/request.ts';
import type { GatewayResponse } from '../gateway/response.ts';

/** A call of the API as the gateway saw it, with everything that was in it. */
export type Exchange = {
  /** The gateway's id of the request: the `traceId` of a refusal. */
  requestId: string;
  /** Milliseconds since 1970. */
  at: number;
  tookMs: number;
  /** Missing if the call could not be read. */
  request?: GatewayRequest;
  /** Missing if no route is like this. */
  route?: RouteDefinition;
  /** What the authorizer told the Lambda. */
  authorizer?: unknown;
  /** X-Ray's id of what was called for it. */
  trace: string;
  response: GatewayResponse;
};

/** X-Ray's id in a header. */
export const traceRootOf = (header = ''): string => /Root=([^;]+)/.exec(header)?.[1] ?? '';
