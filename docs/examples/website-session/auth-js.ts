/** Pays after a confirmation, with Express and Auth.js. */
import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express';
import credentials from '@auth/express/providers/credentials';
import express from 'express';
import { createRoutes, memoryStore, type Omi, type Session, toNodeHandler } from '@omi/website';
import { message } from '../website-bank.ts';

const config = {
  secret: process.env['AUTH_SECRET'] ?? crypto.randomUUID(),
  trustHost: true,
  providers: [
    credentials({
      credentials: { userId: {} },
      authorize: ({ userId }) => ({ id: String(userId) }), // Here without a password.
    }),
  ],
  callbacks: {
    // Auth.js has no id of a session in its token. This one is new at each sign-in, as the routes need it. And its `sub` is
    // new each time, too, for who signs in with OAuth and without a database: what stays is the id at the provider.
    jwt: ({ token, account }) =>
      account ? { ...token, sid: crypto.randomUUID(), userId: account.providerAccountId } : token,
    session: ({ session: shown, token }) => ({ ...shown, id: token['sid'], userId: token['userId'] }),
  },
} satisfies ExpressAuthConfig;

async function session(request: express.Request): Promise<Session | undefined> {
  const found = (await getSession(request, config)) as (Partial<Session> & object) | null;
  return found?.id !== undefined && found.userId !== undefined
    ? { id: found.id, userId: found.userId }
    : undefined;
}

export function bank(omi: Omi): express.Express {
  const routes = createRoutes(omi, {
    session: async (_request, native: express.Request) => await session(native),
    message,
    store: memoryStore(), // Several servers need one that they share.
  });

  const app = express();
  app.use('/auth', ExpressAuth(config));
  app.use(express.urlencoded());
  app.use('/omi', toNodeHandler(routes));
  app.post(
    '/pay',
    toNodeHandler(async (request, native: express.Request) => {
      const { message: done } = await routes.consume(request, await session(native));
      return Response.json({ done });
    }),
  );
  return app;
}
