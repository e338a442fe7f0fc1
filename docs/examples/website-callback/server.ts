/** Pays after a confirmation, and never polls. Start it: node --env-file=<omi>/.local/website.env server.ts */
import express from 'express';
import { createRoutes, memoryStore, Omi, toNodeHandler } from '@omi/website';
import { message, session, signIn } from '../website-bank.ts';

const { PORT = '3000' } = process.env;
const omi = new Omi(); // `OMI_CALLBACK_SECRET` is set, too. The operator gets it with: omi client set --callback-url …/omi/callback
// The callback writes the result into the store. The page, and `consume`, read it there.
const routes = createRoutes(omi, { session, message, store: memoryStore() });

const app = express();
app.use('/omi', toNodeHandler(routes)); // Before parsers of bodies: the signature is over the bytes that were sent.
app.post('/sign-in', toNodeHandler(signIn));
app.post(
  '/pay',
  toNodeHandler(async (request) => {
    const { message: done } = await routes.consume(request, session(request));
    return Response.json({ done });
  }),
);
app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Listening on ${PORT}`);
});
