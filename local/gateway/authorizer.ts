import * as v from 'valibot';
import { routeKeyOf } from '../../lambdas/routes.ts';
import type { Invocation } from '../lambda/function.ts';
import { authorizerEvent, type GatewayCall } from './event.ts';
import { gatewayErrors } from './errors.ts';

export type AuthorizerOptions = {
  invoke: (event: unknown) => Promise<Invocation>;
  now?: () => number;
};

/** Answers with the context for the Lambda behind the route. Throws the refusal otherwise. */
export type Authorizer = (call: GatewayCall) => Promise<unknown>;

/** `authorizerResultTtlInSeconds` of the stack. */
const CACHED_MS = 300_000;
const MOST_CACHED = 10_000;

const simpleResponse = v.object({
  isAuthorized: v.boolean(),
  context: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});
type SimpleResponse = v.InferOutput<typeof simpleResponse>;

/** What AWS's page on Lambda authorizers of HTTP APIs names for a 401. */
const unauthorizedResponse = v.object({ errorMessage: v.literal('Unauthorized') });

/**
 * A Lambda authorizer of an HTTP API with simple responses, whose identity sources are the Authorization header
 * and the route. Its results are cached by both, whether they allow or deny; its errors never.
 */
export function createAuthorizer({ invoke, now = Date.now }: AuthorizerOptions): Authorizer {
  const cache = new Map<string, { response: SimpleResponse; until: number }>();

  const ask = async (call: GatewayCall, identitySource: string[]): Promise<SimpleResponse> => {
    // No header and no route has a line break in it.
    const key = identitySource.join('\n');
    const cached = cache.get(key);
    if (cached && cached.until > now()) return cached.response;
    const response = responseOf(await invoke(authorizerEvent(call, identitySource)));
    cache.delete(key);
    cache.set(key, { response, until: now() + CACHED_MS });
    dropOldest(cache);
    return response;
  };

  return async (call) => {
    const token = call.request.headers['authorization'];
    // Without all identity sources the authorizer is not even asked.
    if (!token) throw gatewayErrors.unauthorized();
    const { isAuthorized, context } = await ask(call, [token, routeKeyOf(call.route)]);
    if (!isAuthorized) throw gatewayErrors.forbidden();
    return context ?? {};
  };
}

/**
 * Returned or thrown, `Unauthorized` is one payload to API Gateway, and a 401. For a thrown one AWS says so of REST APIs
 * alone. Every other error or answer is a fault.
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
  if (cache.size > MOST_CACHED && oldest !== undefined) cache.delete(oldest);
}
