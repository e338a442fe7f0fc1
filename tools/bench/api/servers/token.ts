/** The local gateway with the real handler of `POST /oauth/token` in its thread, and stores whose answers are prepared. */
import { randomUUID } from 'node:crypto';
import { secretHashOf } from '../../../../core/access/client-secret.ts';
import type { RegisteredClient } from '../../../../core/access/registered-client.ts';
import { defaultSettings } from '../../../../core/tenants/tenant.ts';
import { routes } from '../../../../lambdas/routes.ts';
import { startGateway } from '../../../local/gateway/gateway.ts';
import { contextOf } from '../../../local/lambda/context.ts';
import { runtimeEnvironment } from '../../../local/lambda/runtime-environment.ts';
import { cibaClient } from '../ciba.ts';
import { announce } from '../../stack/server.ts';

const environment = runtimeEnvironment('oauth-token', { region: 'eu-central-1', endpoints: {} });
Object.assign(process.env, environment);
// Imported here, because they read the environment when they are loaded.
const { oauthLambda } = await import('../../../../core/http/oauth-lambda.ts');
const { createHandler } = await import('../../../../lambdas/oauth-token/handler.ts');

const client: RegisteredClient = {
  clientId: cibaClient.id,
  tenantId: randomUUID(),
  settings: defaultSettings,
  scopes: ['credential:omi:push-notification:post'],
  secretHashes: [secretHashOf(cibaClient.secret)],
};

type Deps = Parameters<typeof createHandler>[0];
type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** A request that nobody has answered, and that was polled in time. */
const deps = {
  clients: { find: () => Promise.resolve(client) },
  requests: { poll: () => Promise.resolve({ interval: 2_000 }) },
  issuer: 'https://omi.example',
} as unknown as Deps;
const handler = oauthLambda(createHandler(deps)) as unknown as Handler;

const { url } = await startGateway({
  port: 0,
  routes,
  authorizer: 'authorize',
  // Higher than the default throttle, which the benchmark would exceed.
  throttles: { 'POST /oauth/token': { rate: 1_000_000, burst: 1_000_000 } },
  invoke: async (_, event) => {
    const request = { requestId: 'request', event: '', trace: '', deadline: Date.now() + 10_000 };
    return { payload: await handler(event, contextOf(request, environment)) };
  },
});
announce(url);
