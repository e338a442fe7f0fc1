import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';
import type { RouteDefinition } from '../../../../lambdas/routes.ts';
import { type GatewayOptions, startGateway } from '../../../../tools/local/gateway/gateway.ts';
import { lambdaErrorOf } from '../../../../tools/local/lambda/messages.ts';

/** `echo` answers with the event that it got. */
export const routes: readonly RouteDefinition[] = [
  { method: 'GET', path: '/omi/echo', lambda: 'echo', caller: 'device' },
  { method: 'POST', path: '/omi/echo', lambda: 'echo', caller: 'device' },
  { method: 'GET', path: '/omi/echo/{id}/part/{part}', lambda: 'echo', caller: 'device' },
  { method: 'GET', path: '/omi/users/{userId}', lambda: 'echo', caller: 'website', scope: 'user' },
  { method: 'GET', path: '/omi/others', lambda: 'echo', caller: 'website', scope: 'other' },
];

export type Event = APIGatewayProxyEventV2 | APIGatewayRequestAuthorizerEventV2;

type Lambda = (event: Event) => unknown;
type Options = Partial<Omit<GatewayOptions, 'invoke'>>;

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => await close()));
});

/** A gateway for one test, with Lambdas in this process. */
export async function gatewayWith(
  lambdas: Record<string, Lambda> = {},
  options: Options = {},
): Promise<string> {
  const all: Record<string, Lambda> = { echo: (event) => event, ...lambdas };
  const { url, close } = await startGateway({
    port: 0,
    routes,
    invoke: async (name, event) => {
      try {
        return { payload: JSON.parse(JSON.stringify((await all[name]?.(event as Event)) ?? null)) };
      } catch (error) {
        return { error: lambdaErrorOf(error) };
      }
    },
    ...options,
  });
  closing.push(close);
  return url;
}

export type Sent = {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
};
export type Received = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };

/** Sends just these bytes: `fetch` chooses and changes headers and paths. */
export async function send(
  url: string,
  { method = 'GET', path = '/omi/echo', headers = {}, body }: Sent = {},
): Promise<Received> {
  const sent = request(url, { method, path, headers, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const received = await buffer(response);
  const { statusCode: status = 0 } = response;
  return { status, headers: response.headers, body: received, text: received.toString() };
}

/** What the Lambda behind the route got. */
export async function eventOf(
  url: string,
  sent: Sent = {},
): Promise<APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>> {
  const { text } = await send(url, sent);
  return JSON.parse(text) as APIGatewayProxyEventV2WithLambdaAuthorizer<unknown>;
}
