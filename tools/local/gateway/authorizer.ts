import * as v from 'valibot';
import { routeKeyOf } from '../../../lambdas/routes.ts';
import type { Invocation } from '../lambda/function.ts';
import { authorizerEvent, type GatewayCall } from './event.ts';
import { gatewayErrors } from './errors.ts';

export type AuthorizerOptions = {
  invoke: (event: unknown) => Promise<Invocation>;
  now?: () => number;
};

/**
 * Returns the context for the route's Lambda.
 *
 * @throws {GatewayError} if the call is not authorized
 */
export type Authorizer = (call: GatewayCall) => Promise<unknown>;

/** The stack's `authorizerResultTtlInSeconds`. */
const cachedMs = 300_000;
const largestCache = 10_000;

const simpleResponse = v.object({
  isAuthorized: v.boolean(),
  context: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});
type SimpleResponse = v.InferOutput<typeof simpleResponse>;

/** The result for a 401, by AWS's page on Lambda authorizers of HTTP APIs. */
const unauthorizedResponse = v.object({ errorMessage: v.literal('Unauthorized') });

/**
 * A Lambda authorizer of an HTTP API with simple responses. Its identity sources are the Authorization header and the
 * route. Results are cached by both, whether they allow or deny; errors are never cached.
 */
export function createAuthorizer({ invoke, now = Date.now }: AuthorizerOptions): Authorizer {
  const cache = new Map<string, { response: SimpleResponse; until: number }>();

  const authorize = async (call: GatewayCall, identitySource: string[]): Promise<SimpleResponse> => {
    // Headers and routes have no line breaks.
    const key = identitySource.join('\n');
    const cached = cache.get(key);
    if (cached && cached.until > now()) return cached.response;
    const response = responseOf(await invoke(authorizerEvent(call, identitySource)));
    cache.delete(key);
    cache.set(key, { response, until: now() + cachedMs });
    dropOldest(cache);
    return response;
  };

  return async (call) => {
    const token = call.request.headers['authorization'];
    // Without all identity sources the authorizer is not called.
    if (!token) throw gatewayErrors.unauthorized();
    const { isAuthorized, context } = await authorize(call, [token, routeKeyOf(call.route)]);
    if (!isAuthorized) throw gatewayErrors.forbidden();
    return context ?? {};
  };
}

/**
 * API Gateway returns 401 for the payload `Unauthorized`, whether it was returned or thrown. AWS documents the thrown one only
 * for REST APIs. All other errors and results are faults.
 */
function responseOf(invocation: Invocation): SimpleResponse {
  const payload = 'error' in invocation ? invocation.error : invocation.payload;
  if (v.is(unauthorizedResponse, payload)) throw gatewayErrors.unauthorized();
  const result = v.safeParse(simpleResponse, payload);
  if (!result.success) throw gatewayErrors.internalError();
  return result.output;
}

function dropOldest(cache: Map<string, unknown>): void {
  const [oldest] = cache.keys();
  if (cache.size > largestCache && oldest !== undefined) cache.delete(oldest);
}
