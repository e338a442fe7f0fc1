import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Omi, Store } from '#website';
import { accountView } from './account.ts';
import { type AccountStore, changeAccount } from './account-store.ts';
import { readAction } from './actions.ts';
import { fieldsOf, withWholeBody } from './body.ts';
import { answerTo } from './failures.ts';
import type { LiveFeed } from './live/live-feed.ts';
import { loseDevice } from './lost-device.ts';
import { Problem } from './problem.ts';
import { checkSameSite } from './same-site.ts';
import { type BankSession, Sessions } from './sessions.ts';
import { actionAt, createStepUp, stepUpPath } from './step-up.ts';
import { userOf, users } from './users.ts';

export type BankParts = {
  /** Where browsers see the bank. */
  origin: string;
  omi: Omi;
  /** For raising a limit: its client has number matching. */
  omiForLimits: Omi;
  /** Sessions, and what the routes of `@omi/website` keep. */
  store: Store;
  accounts: AccountStore;
  live: LiveFeed;
  now?: () => number;
  /** The user of OMI for a user who signs in. The same one, if it is not given. */
  userIdOf?: (request: Request, userId: string) => string;
  /** Gets what went wrong, which the page is not told. */
  onError: (error: unknown) => void;
};

type SignedIn = { Variables: { session: BankSession } };

/** The demo bank: a website that asks for confirmations with `@omi/website`. */
export function createBank(parts: BankParts): (request: Request) => Promise<Response> {
  const { origin, omi, omiForLimits, store, accounts, live, now = Date.now, onError } = parts;
  const userIdOf = parts.userIdOf ?? ((_: Request, userId: string): string => userId);
  const sessions = new Sessions({ store, isSecure: new URL(origin).protocol === 'https:', now });
  const findSession = async (request: Request) => await sessions.find(request);
  const stepUp = createStepUp({ omi, omiForLimits, accounts, store, origin, findSession, now, onError });

  const signedIn = createMiddleware<SignedIn>(async (c, next) => {
    const session = await findSession(c.req.raw);
    if (!session) throw new Problem('Sign in first.', { status: 401, code: 'signed-out' });
    c.set('session', session);
    await live.during(session, next);
  });

  async function viewOf({ userId }: BankSession) {
    const user = requireUser(userId);
    const { account, devices } = await stepUp.situationOf(userId);
    return accountView(user, account, devices);
  }

  async function signIn(c: Context): Promise<Response> {
    const request = c.req.raw;
    const { userId } = requireUser((await fieldsOf(request))['userId']);
    const before = await findSession(request);
    if (before) {
      await sessions.end(before);
      live.end(before);
    }
    const { cookie } = await sessions.begin(userIdOf(request, userId));
    return c.body(null, 204, { 'set-cookie': cookie });
  }

  async function signOut(c: Context): Promise<Response> {
    const session = await findSession(c.req.raw);
    if (session) live.end(session);
    const cookie = session ? await sessions.end(session) : sessions.endedCookie();
    return c.body(null, 204, { 'set-cookie': cookie });
  }

  /** A sensitive action: only what the user has just confirmed on a phone, and only once. */
  async function act(c: Context<SignedIn>): Promise<Response> {
    const [request, session] = [c.req.raw, c.var.session];
    const action = readAction(await fieldsOf(request), actionAt(c.req.path));
    await stepUp.consume(request, session);
    const { devices } = await stepUp.situationOf(session.userId);
    const at = new Date(now()).toISOString();
    await changeAccount(accounts, session.userId, (account) => action.apply({ account, devices, at }));
    return c.json(await viewOf(session));
  }

  async function answerStepUp({ req: { raw } }: Context): Promise<Response> {
    const session = await findSession(raw);
    const answer = async () => await stepUp.answer(raw);
    return session ? await live.during(session, answer) : await answer();
  }

  const bank = new Hono();
  bank.onError((error) => answerTo(error, onError));
  bank.notFound(() => new Problem('This path is unknown.', { status: 404, code: 'not-found' }).response());
  bank.use(
    async (c, next) => {
      checkSameSite(c.req.raw, origin);
      c.header('cache-control', 'no-store');
      c.req.raw = await withWholeBody(c.req.raw);
      await next();
    },
    methodNotAllowed({ app: bank, onMethodNotAllowed: (_, methods) => notAllowed(methods) }),
  );
  bank.all(`${stepUpPath}/*`, answerStepUp);
  bank.get('/bank/users', (c) =>
    c.json({ users: users.map(({ userId, name, about }) => ({ userId, name, about })) }),
  );
  // The page may connect to its own origin alone.
  bank.get('/bank/omi-keys', async (c) =>
    c.json(await (await fetch(`${omi.baseUrl}/.well-known/omi-keys`)).json()),
  );
  bank.post('/bank/sign-in', signIn);
  bank.post('/bank/sign-out', signOut);
  bank.get('/bank/account', signedIn, async (c) => c.json(await viewOf(c.var.session)));
  bank.get('/bank/live', signedIn, (c) => live.open(c.var.session, c.req.raw));
  for (const path of ['/bank/address', '/bank/payments', '/bank/limit']) bank.post(path, signedIn, act);
  bank.post('/bank/lost-device', signedIn, async (c) => {
    const { session } = c.var;
    const check = await loseDevice(c.req.raw, session, { omi, stepUp });
    return c.json({ ...(await viewOf(session)), check });
  });
  return async (request) => await bank.fetch(request);
}

function requireUser(userId: string | undefined) {
  const user = userId === undefined ? undefined : userOf(userId);
  if (user) return user;
  throw new Problem('The bank has no such user.', { status: 404, code: 'user-not-found', field: 'userId' });
}

const notAllowed = (methods: readonly string[]): Response =>
  new Problem('This method is not allowed here.', {
    status: 405,
    code: 'method-not-allowed',
    headers: { allow: methods.join(', ') },
  }).response();
