import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorizerOf, type RouteDefinition, routeKeyOf } from '../../../lambdas/routes.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import type { Invocation } from '../lambda/function.ts';
import { traceHeader } from '../lambda/lineage.ts';
import { type Exchange, traceRootOf } from '../requests/exchange.ts';
import { gatewayResponseOf, type GatewayResponse, hasBody, errorResponse } from './response.ts';
import { createAuthorizer } from './authorizer.ts';
import { proxyEvent } from './event.ts';
import { newRequestId } from './ids.ts';
import { GatewayError, gatewayErrors } from './errors.ts';
import { readGatewayRequest } from './request.ts';
import { createRouter } from './routing.ts';

/** The throttle of a route: requests per second, and the largest burst. */
type ThrottleSettings = { rate: number; burst: number };

/** True if one more request may pass now, which it counts. */
type Throttle = () => boolean;

/** A token bucket. */
function createThrottle({ rate, burst }: ThrottleSettings, now: () => number = Date.now): Throttle {
  let tokens = burst;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1_000) * rate);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export type GatewayOptions = {
  port: number;
  /** The URL of a TLS proxy or tunnel in front of the gateway. */
  publicUrl?: string | undefined;
  routes: readonly RouteDefinition[];
  /** @param trace the X-Ray header of the call, which the Lambda passes on */
  invoke: (lambda: string, event: unknown, trace?: string) => Promise<Invocation>;
  /** Sees each call when it is answered. */
  observe?: (exchange: Exchange) => void;
  /** By route key; other routes have the defaults of an AWS account. */
  throttles?: Record<string, ThrottleSettings>;
  /** The timeout of a Lambda's call. */
  integrationTimeoutMs?: number;
  now?: () => number;
};

export type Gateway = { url: string; close: () => Promise<void> };

/** API Gateway's quotas: throttle of an account, and longest integration timeout of an HTTP API. */
const accountThrottle: ThrottleSettings = { rate: 10_000, burst: 5_000 };
const longestIntegrationMs = 30_000;

/** An API Gateway HTTP API on loopback: payload format 2.0, the stage `$default`, CORS off. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const handle = createGateway(options);
  const { observe } = options;
  return await serveLoopback(
    (incoming, response) => {
      const call = newCall();
      const { requestId } = call;
      handle(incoming, call)
        .catch((error: unknown) =>
          errorResponse(error instanceof GatewayError ? error : gatewayErrors.internalError()),
        )
        .then((result) => {
          send(response, result, requestId);
          observe?.({ ...call, tookMs: Date.now() - call.at, response: result });
        })
        // The client closed the connection, or the response has an invalid header.
        .catch(() => response.destroy());
    },
    { port: options.port, publicUrl: options.publicUrl, optimizeEmptyRequests: true },
  );
}

/** What is known of a call until its answer. */
type Call = Omit<Exchange, 'tookMs' | 'response'>;

const newCall = (): Call => ({ requestId: newRequestId(), at: Date.now(), trace: '' });

type Handle = (incoming: IncomingMessage, call: Call) => Promise<GatewayResponse>;

function createGateway({
  routes,
  invoke,
  throttles = {},
  now = Date.now,
  ...options
}: GatewayOptions): Handle {
  const findRoute = createRouter(routes);
  const throttlesByRoute = new Map(
    routes.map((route) => [route, createThrottle(throttles[routeKeyOf(route)] ?? accountThrottle, now)]),
  );
  const authorizersByRoute = new Map(
    routes.map((route) => {
      const name = authorizerOf(route);
      return [route, name && createAuthorizer({ invoke: async (event) => await invoke(name, event), now })];
    }),
  );
  const { integrationTimeoutMs = longestIntegrationMs } = options;

  return async (incoming, seen) => {
    const { requestId } = seen;
    const request = await readGatewayRequest(incoming);
    seen.request = request;
    const match = findRoute(request.method, request.rawPath);
    if (!match) throw gatewayErrors.notFound();
    const { route } = match;
    seen.route = route;
    if (throttlesByRoute.get(route)?.() === false) throw gatewayErrors.tooManyRequests();
    const call = { request, requestId, ...match };
    const context = await authorizersByRoute.get(route)?.(call);
    seen.authorizer = context;
    const trace = traceHeader();
    seen.trace = traceRootOf(trace);
    const invocation = await within(
      integrationTimeoutMs,
      invoke(route.lambda, proxyEvent(call, context), trace),
    );
    return gatewayResponseOf(payloadOf(invocation));
  };
}

async function within(milliseconds: number, invoked: Promise<Invocation>): Promise<Invocation> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(gatewayErrors.unavailable()), milliseconds);
    void invoked.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

/** A failed function or its timeout is a 500; a request that is too large for Lambda is a 413. */
function payloadOf(invocation: Invocation): unknown {
  if ('payload' in invocation) return invocation.payload;
  const isTooLarge = invocation.error.errorType === 'RequestEntityTooLargeException';
  throw isTooLarge ? gatewayErrors.tooLarge() : gatewayErrors.internalError();
}

function send(response: ServerResponse, { status, headers, body }: GatewayResponse, requestId: string): void {
  const length = hasBody(status) ? { 'content-length': Buffer.byteLength(body) } : {};
  response.writeHead(status, { ...headers, ...length, 'apigw-requestid': requestId }).end(body);
}
