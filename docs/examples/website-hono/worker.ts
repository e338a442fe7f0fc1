/** Pays after a confirmation, with Hono on Cloudflare Workers. */
import { createRoutes, Denied, memoryStore, Omi } from '@omi/website';
import { Hono } from 'hono';
import { message, session, signIn } from '../website-bank.ts';

type Env = Record<string, string | undefined>;

function createApp({ OMI_BASE_URL = '', OMI_TOKEN_URL = '', OMI_TENANT_ID = '', ...env }: Env) {
  const omi = new Omi({
    baseUrl: OMI_BASE_URL,
    tokenUrl: OMI_TOKEN_URL,
    tenantId: OMI_TENANT_ID,
    clientId: env['OMI_CLIENT_ID'] ?? '',
    clientSecret: env['OMI_CLIENT_SECRET'] ?? '',
  });
  // Several servers need a store that they share: on Workers, a Durable Object.
  const routes = createRoutes(omi, { session, message, store: memoryStore() });
  return new Hono()
    .all('/omi/*', async ({ req }) => await routes(req.raw))
    .post('/sign-in', async ({ req }) => await signIn(req.raw))
    .post('/pay', async ({ req }) => {
      const { message: done } = await routes.consume(req.raw, session(req.raw));
      return Response.json({ done });
    })
    .onError((error) => (error instanceof Denied ? error.response() : new Response(null, { status: 500 })));
}

let app: ReturnType<typeof createApp> | undefined;
export default { fetch: async (request: Request, env: Env) => await (app ??= createApp(env)).fetch(request) };
