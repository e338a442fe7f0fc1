import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RouteDefinition, routeKeyOf } from '../../lambdas/routes.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import type { Invocation } from '../lambda/function.ts';
import { gatewayResponseOf, type GatewayResponse, hasBody, errorResponse } from './response.ts';
import { createAuthorizer } from './authorizer.ts';
import { proxyEvent } from './event.ts';
import { newRequestId } from './ids.ts';
import { GatewayError, gatewayErrors } from './errors.ts';
import { readGatewayRequest } from './request.ts';
import { createRouter } from './routing.ts';
import { createThrottle, type ThrottleSettings } from './throttle.ts';

export type GatewayOptions = {
  port: number;
  routes: readonly RouteDefinition[];
  /** Name of the Lambda that authorizes the calls of websites. */
  authorizer: string;
  invoke: (lambda: string, event: unknown) => Promise<Invocation>;
  /** By route key; routes that it does not name have the defaults of an AWS account. */
  throttles?: Record<string, ThrottleSettings>;
  /** How long the gateway waits for a Lambda. */
  integrationTimeoutMs?: number;
  now?: () => number;
};

export type Gateway = { url: string; close: () => Promise<void> };

/** Quotas of API Gateway: account-level throttle; maximum integration timeout of an HTTP API. */
const ACCOUNT_THROTTLE: ThrottleSettings = { rate: 10_000, burst: 5_000 };
const LONGEST_INTEGRATION_MS = 30_000;

/** An API Gateway HTTP API on loopback: payload format 2.0, the stage `$default`, CORS off. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const handle = createGateway(options);
  return await serveLoopback(
    (incoming, response) => {
      const requestId = newRequestId();
      handle(incoming, requestId)
        .catch((error: unknown) =>
          errorResponse(error instanceof GatewayError ? error : gatewayErrors.internalError()),
        )
        .then((answer) => send(response, answer, requestId))
        // The client is gone, or sent what cannot be a header.
        .catch(() => response.destroy());
    },
    { port: options.port },
  );
}

type Handle = (incoming: IncomingMessage, requestId: string) => Promise<GatewayResponse>;

function createGateway({
  routes,
  authorizer,
  invoke,
  throttles = {},
  now = Date.now,
  ...options
}: GatewayOptions): Handle {
  const findRoute = createRouter(routes);
  const passes = new Map(
    routes.map(routeKeyOf).map((key) => [key, createThrottle(throttles[key] ?? ACCOUNT_THROTTLE, now)]),
  );
  const authorize = createAuthorizer({ invoke: async (event) => await invoke(authorizer, event), now });
  const { integrationTimeoutMs = LONGEST_INTEGRATION_MS } = options;

  return async (incoming, requestId) => {
    const request = await readGatewayRequest(incoming);
    const match = findRoute(request.method, request.rawPath);
    if (!match) throw gatewayErrors.notFound();
    const { route } = match;
    if (passes.get(routeKeyOf(route))?.() === false) throw gatewayErrors.tooManyRequests();
    const call = { request, requestId, ...match };
    const context = route.caller === 'website' ? await authorize(call) : undefined;
    const invocation = await within(integrationTimeoutMs, invoke(route.lambda, proxyEvent(call, context)));
    return gatewayResponseOf(payloadOf(invocation));
  };
}

async function within(milliseconds: number, invoked: Promise<Invocation>): Promise<Invocation> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(gatewayErrors.unavailable()), milliseconds);
  });
  try {
    return await Promise.race([invoked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A function that fails, or runs into its own timeout, is a 500; one that was never called for its size a 413. */
function payloadOf(invocation: Invocation): unknown {
  if ('payload' in invocation) return invocation.payload;
  const isTooLarge = invocation.error.errorType === 'RequestEntityTooLargeException';
  throw isTooLarge ? gatewayErrors.tooLarge() : gatewayErrors.internalError();
}

function send(response: ServerResponse, { status, headers, body }: GatewayResponse, requestId: string): void {
  const length = hasBody(status) ? { 'content-length': body.length } : {};
  response.writeHead(status, { ...headers, ...length, 'apigw-requestid': requestId }).end(body);
}
