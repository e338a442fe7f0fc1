/** Pays after a confirmation, with Express, express-session and Passport. */
import express from 'express';
import expressSession from 'express-session';
import passport from 'passport';
import { createRoutes, memoryStore, type Omi, type Session, toNodeHandler } from '@omi/website';
import { message } from '../website-bank.ts';

/** The middlewares have put both on the request. Passport renews the session's id at each sign-in. */
function session(request: express.Request): Session | undefined {
  const user = request.user as { id: string } | undefined;
  return user && { id: request.sessionID, userId: user.id };
}

export function bank(omi: Omi): express.Express {
  const users = new passport.Passport();
  users.serializeUser<string>((user, done) => done(null, (user as { id: string }).id));
  users.deserializeUser<string>((id, done) => done(null, { id }));
  const secret = process.env['SESSION_SECRET'] ?? crypto.randomUUID();

  const routes = createRoutes(omi, {
    session: (_request, native: express.Request) => session(native),
    message,
    store: memoryStore(), // Several servers need one that they share.
  });

  const app = express();
  app.use(
    expressSession({ secret, resave: false, saveUninitialized: false }),
    users.session() as express.RequestHandler,
  );
  app.use(express.urlencoded());
  app.post('/sign-in', (request, response, next) => {
    const { userId: id } = request.body as { userId: string }; // Here without a password.
    request.login({ id }, (error) => (error ? next(error) : response.sendStatus(204)));
  });
  app.use('/omi', toNodeHandler(routes));
  app.post(
    '/pay',
    toNodeHandler(async (request, native: express.Request) => {
      const { message: done } = await routes.consume(request, session(native));
      return Response.json({ done });
    }),
  );
  return app;
}
