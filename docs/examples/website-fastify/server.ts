/** Pays after a confirmation, with Fastify. Start it: node --env-file=<omi>/.local/website.env server.ts */
import { createRoutes, Denied, memoryStore, Omi, toRequest } from '@omi/website';
import fastify from 'fastify';
import { message, session, signIn } from '../website-bank.ts';

const routes = createRoutes(new Omi(), {
  session,
  message,
  store: memoryStore(), // Several servers need one that they share.
});

const app = fastify();
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) => {
  done(null, body);
});
app.all('/omi/*', async (request, { raw }) => {
  const gone = new AbortController(); // Not `request.signal`: that aborts as soon as a body was read.
  raw.once('close', () => raw.writableFinished || gone.abort());
  return await routes(toRequest(request, gone.signal));
});
app.post('/sign-in', async (request) => await signIn(toRequest(request)));
app.post('/pay', async (request) => {
  const action = toRequest(request);
  return { done: (await routes.consume(action, session(action))).message };
});
app.setErrorHandler((error) => {
  if (error instanceof Denied) return error.response(); // A page, where a browser has no JavaScript.
  throw error;
});
console.log(await app.listen({ port: Number(process.env['PORT'] ?? '3000'), host: '127.0.0.1' }));
