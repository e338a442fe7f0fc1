/** Pays after a confirmation, with Express. Start it: node --env-file=<omi>/.local/website.env server.ts */
import express from 'express';
import { createRoutes, memoryStore, Omi, toNodeHandler } from '@omi/website';
import { message, session, signIn } from '../website-bank.ts';

const { PORT = '3000' } = process.env;
const routes = createRoutes(new Omi(), {
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
    const { message: done } = await routes.consume(request, session(request)); // Throws Denied, which is then the answer.
    return Response.json({ done });
  }),
);
app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Listening on ${PORT}`);
});
