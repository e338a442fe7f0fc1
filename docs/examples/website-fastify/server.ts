/** Pays after a confirmation, with Fastify. Start it: node --env-file=<omi>/.local/website.env server.ts */
import { createRoutes, Denied, memoryStore, Omi, toRequest } from '@omi/website';
import fastify from 'fastify';
import { message, session, signIn } from '../website-bank.ts';

const { PORT = '3000' } = process.env;
const routes = createRoutes(new Omi(), {
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
  const { message: done } = await routes.consume(action, session(action));
  return { done };
});
app.setErrorHandler((error) => {
  if (error instanceof Denied) return error.response(); // A page, where a browser has no JavaScript.
  throw error;
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(`Listening on ${PORT}`);
