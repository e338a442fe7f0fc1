/** Pays after a confirmation, with Fastify. Start it: node --env-file=<omi>/.local/website.env server.ts */
import { createRoutes, memoryStore, Omi, toRequest } from '@omi/website';
import fastify from 'fastify';
import { message, session, signIn } from '../website-bank.ts';

const { OMI_BASE_URL = '', OMI_TOKEN_URL = '', OMI_TENANT_ID = '' } = process.env;
const { OMI_CLIENT_ID = '', OMI_CLIENT_SECRET = '', PORT = '3000' } = process.env;

const omi = new Omi({
  baseUrl: OMI_BASE_URL,
  tokenUrl: OMI_TOKEN_URL,
  tenantId: OMI_TENANT_ID,
  clientId: OMI_CLIENT_ID,
  clientSecret: OMI_CLIENT_SECRET,
});
const routes = createRoutes(omi, {
  session,
  message,
  store: memoryStore(), // Several servers need one that they share.
});

const app = fastify();
const form = 'application/x-www-form-urlencoded';
app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) => {
  done(null, body); // As it is: `message` and `consume` read it.
});
app.all('/omi/*', async (request) => await routes(toRequest(request)));
app.post('/sign-in', async (request) => await signIn(toRequest(request)));
app.post('/pay', async (request) => {
  const action = toRequest(request);
  const user = session(action);
  if (!user) return new Response(null, { status: 401 });
  const { message: done } = await routes.consume(action, user); // Throws Denied, which Fastify answers with 403.
  return { done };
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(`Listening on ${PORT}`);
