/**
 * The local gateway with the real handlers of both polls in its thread, and stores whose answers are prepared. With `gateway`
 * the Lambda's answer is prepared, too.
 */
import { randomUUID } from 'node:crypto';
import { secretHashOf } from '../../../../core/access/client-secret.ts';
import type { Confirmation } from '../../../../core/confirmations/confirmation.ts';
import { defaultSettings } from '../../../../core/tenants/tenant.ts';
import { routes } from '../../../../lambdas/routes.ts';
import { stored } from '../../cost/story.ts';
import { startGateway } from '../../../local/gateway/gateway.ts';
import { contextOf } from '../../../local/lambda/context.ts';
import { runtimeEnvironment } from '../../../local/lambda/runtime-environment.ts';
import { announce } from '../../stack/server.ts';
import { cibaClient } from '../polls.ts';

const environment = runtimeEnvironment('get-confirmation', { region: 'eu-central-1', endpoints: {} });
Object.assign(process.env, environment);
// Imported here, because they read the environment when they are loaded.
const { bodilessLambda } = await import('../../../../core/http/api-lambda.ts');
const { oauthLambda } = await import('../../../../core/http/oauth-lambda.ts');
const polling = await import('../../../../lambdas/get-confirmation/handler.ts');
const redeeming = await import('../../../../lambdas/oauth-token/handler.ts');

const now = Date.now();
const requester = { tenant: 'Example Bank', client: cibaClient.id };
const client = { clientId: cibaClient.id, tenantId: randomUUID(), requester, settings: defaultSettings };
const pending: Confirmation = {
  ...{ ...stored.pending, clientId: client.clientId, tenantId: client.tenantId },
  ...{ createdAt: now, expiresAt: now + 3_600_000 },
};
/** What the authorizer says. As in API Gateway, its answer is cached. */
const caller = { ...client, recovery: false, tokenExpiresAt: Math.floor(pending.expiresAt / 1_000) };

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const confirmations = { find: () => Promise.resolve(pending) };
const registered = {
  ...client,
  scopes: ['credential:omi:push-notification:post'],
  secretHashes: [secretHashOf(cibaClient.secret)],
};
/** A request that nobody has answered, and that was polled in time. */
const requests = { poll: () => Promise.resolve({ interval: 2_000 }) };
const clients = { find: () => Promise.resolve(registered) };
const handlers: Record<string, Handler> = {
  'get-confirmation': bodilessLambda(
    polling.createHandler({ confirmations, outbox: {} } as unknown as Parameters<
      typeof polling.createHandler
    >[0]),
  ) as unknown as Handler,
  'oauth-token': oauthLambda(
    redeeming.createHandler({ clients, requests, issuer: 'https://omi.example' } as unknown as Parameters<
      typeof redeeming.createHandler
    >[0]),
  ) as unknown as Handler,
};

async function handle(lambda: string, event: unknown): Promise<unknown> {
  const request = { requestId: 'request', event: '', trace: '', deadline: Date.now() + 10_000 };
  return await handlers[lambda]?.(event, contextOf(request, environment));
}

/** Higher than the default throttle, which the benchmark would exceed. */
const unlimited = { rate: 1_000_000, burst: 1_000_000 };
const isPrepared = process.argv[2] === 'gateway';
let ready: unknown;

const { url } = await startGateway({
  ...{ port: 0, routes },
  throttles: { 'GET /omi/push/confirmation': unlimited, 'POST /oauth/token': unlimited },
  invoke: async (lambda, event) => {
    if (lambda === 'authorize') return { payload: { isAuthorized: true, context: caller } };
    return { payload: isPrepared ? (ready ??= await handle(lambda, event)) : await handle(lambda, event) };
  },
});
announce(url);
