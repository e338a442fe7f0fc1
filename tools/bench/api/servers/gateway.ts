/**
 * The local gateway with prepared answers of the authorizer and the Lambda (`gateway`). With `handler` the real handler runs in
 * the gateway's thread, with a store whose answer is prepared.
 */
import { writeContext } from '../../../../core/confirmations/context.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Confirmation } from '../../../../core/confirmations/confirmation.ts';
import { challengeIdOf, messageHashOf } from '../../../../core/kernel/identifiers.ts';
import { defaultSettings } from '../../../../core/tenants/tenant.ts';
import { routes } from '../../../../lambdas/routes.ts';
import { contextOf } from '../../../local/lambda/context.ts';
import { runtimeEnvironment } from '../../../local/lambda/runtime-environment.ts';
import { startGateway } from '../../../local/gateway/gateway.ts';
import { announce } from '../../stack/server.ts';

const now = Date.now();
const tenantId = randomUUID();
const nonce = randomBytes(16).toString('hex');
const message = 'Change your e-mail address?';

/** A pending confirmation. */
const pending: Confirmation = {
  challengeId: challengeIdOf(tenantId, nonce),
  tenantId,
  clientId: 'website',
  userId: 'alice',
  deviceId: randomUUID(),
  nonce,
  message,
  messageHash: messageHashOf(message),
  ...writeContext({ userVerification: 'off' }),
  expiresIn: 600,
  status: 'pending',
  delivery: 'sent',
  createdAt: now,
  expiresAt: now + 3_600_000,
  attemptId: randomUUID(),
};

const environment = runtimeEnvironment('get-confirmation', { region: 'eu-central-1', endpoints: {} });
Object.assign(process.env, environment);
// Imported here, because they read the environment when they are loaded.
const { bodilessLambda } = await import('../../../../core/http/api-lambda.ts');
const { createHandler } = await import('../../../../lambdas/get-confirmation/handler.ts');

const caller = {
  tenantId: pending.tenantId,
  clientId: pending.clientId,
  recovery: false,
  tokenExpiresAt: Math.floor(pending.expiresAt / 1_000),
  settings: defaultSettings,
};

type Deps = Parameters<typeof createHandler>[0];
type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const deps = { confirmations: { find: () => Promise.resolve(pending) }, outbox: {} } as unknown as Deps;
const handler = bodilessLambda(createHandler(deps)) as unknown as Handler;

async function callHandler(event: unknown): Promise<unknown> {
  const request = { requestId: 'request', event: '', trace: '', deadline: Date.now() + 10_000 };
  return await handler(event, contextOf(request, environment));
}

let ready: unknown;

const { url } = await startGateway({
  port: 0,
  routes,
  authorizer: 'authorize',
  // Higher than the default throttle, which the benchmark would exceed.
  throttles: { 'GET /omi/push/confirmation': { rate: 1_000_000, burst: 1_000_000 } },
  invoke: async (lambda, event) => {
    if (lambda === 'authorize') return { payload: { isAuthorized: true, context: caller } };
    if (process.argv[2] === 'handler') return { payload: await callHandler(event) };
    return { payload: (ready ??= await callHandler(event)) };
  },
});
announce(url);
