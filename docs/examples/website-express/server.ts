/** Pays after a confirmation, with Express. Start it: node --env-file=<omi>/.local/website.env server.ts */
import express from 'express';
import { createRoutes, memoryStore, Omi, toNodeHandler } from '@omi/website';
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

const app = express();
app.use(express.json(), express.urlencoded()); // They may read the body first.
app.use('/omi', toNodeHandler(routes));
app.post('/sign-in', toNodeHandler(signIn));
app.post(
  '/pay',
  toNodeHandler(async (request) => {
    const user = session(request);
    if (!user) return new Response(null, { status: 401 });
    const { message: done } = await routes.consume(request, user); // Throws Denied, which is then the answer.
    return Response.json({ done });
  }),
);
app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on ${PORT}`));
