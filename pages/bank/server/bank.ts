import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Omi, Store } from '#website';
import { accountView } from './account.ts';
import { type AccountStore, changeAccount } from './account-store.ts';
import { readAction } from './actions.ts';
import { Beginnings } from './beginnings.ts';
import { fieldsOf, withWholeBody } from './body.ts';
import { earlyFormPage, isEarlyForm } from './early-form.ts';
import { answerTo } from './failures.ts';
import type { LiveFeed } from './live/live-feed.ts';
import { loseDevice } from './lost-device.ts';
import { Problem } from './problem.ts';
import { checkSameSite } from './same-site.ts';
import { type BankSession, Sessions } from './sessions.ts';
import { SharedPayments } from './shared-payments.ts';
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
  const beginnings = new Beginnings(store);
  /** Somebody who has started again is signed in as another user of OMI, and in no other browser. */
  const findSession = async (request: Request) => {
    const session = await sessions.find(request);
    if (!session) return undefined;
    return session.userId === (await beginnings.current(session.userId)) ? session : undefined;
  };
  const stepUp = createStepUp({ omi, omiForLimits, accounts, store, origin, findSession, now, onError });

  const shared = new SharedPayments({ omi, accounts, store, beginnings, now });

  const signedIn = createMiddleware<SignedIn>(async (c, next) => {
    const session = await findSession(c.req.raw);
    if (!session) throw new Problem('Sign in first.', { status: 401, code: 'signed-out' });
    c.set('session', session);
    await live.during(session, next);
  });

  async function viewOf({ userId }: BankSession) {
    const user = requireUser(userId);
    const { account, devices } = await stepUp.situationOf(userId);
    return accountView({ ...user, userId: shownId(userId) }, account, devices);
  }

  async function signIn(c: Context): Promise<Response> {
    const request = c.req.raw;
    const { userId } = requireUser((await fieldsOf(request))['userId']);
    const before = await findSession(request);
    if (before) {
      await sessions.end(before);
      live.end(before);
    }
    const { cookie } = await sessions.begin(await beginnings.current(userIdOf(request, userId)));
    return c.body(null, 204, { 'set-cookie': cookie });
  }

  /** The same person without phones, payments and limits that were reached. */
  async function startAgain(c: Context<SignedIn>): Promise<Response> {
    const { session } = c.var;
    const [{ devices }, userId] = await Promise.all([
      stepUp.situationOf(session.userId),
      beginnings.next(session.userId),
    ]);
    await Promise.all(devices.map(async ({ deviceId }) => await omi.removeDevice(session.userId, deviceId)));
    live.end(session);
    await sessions.end(session);
    const { cookie } = await sessions.begin(userId);
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
    if (isEarlyForm(request)) return await earlyFormPage(await fieldsOf(request));
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
  bank.get('/bank/session', async (c) => {
    const session = await findSession(c.req.raw);
    const account = session && (await live.during(session, async () => await viewOf(session)));
    return c.json({ users: users.map(({ userId, name, about }) => ({ userId, name, about })), account });
  });
  // The page may connect to its own origin alone.
  bank.get('/bank/omi-keys', async (c) =>
    c.json(await (await fetch(`${omi.baseUrl}/.well-known/omi-keys`)).json()),
  );
  bank.post('/bank/sign-in', signIn);
  bank.post('/bank/sign-out', signOut);
  bank.post('/bank/start-again', signedIn, startAgain);
  bank.get('/bank/account', signedIn, async (c) => c.json(await viewOf(c.var.session)));
  bank.get('/bank/live', signedIn, (c) => live.open(c.var.session, c.req.raw));
  for (const path of ['/bank/address', '/bank/payments', '/bank/limit']) bank.post(path, signedIn, act);
  bank.post('/bank/shared-payments', signedIn, async (c) =>
    c.json(await shared.ask(c.var.session, await fieldsOf(c.req.raw)), 202),
  );
  bank.get('/bank/shared-payments/:id', signedIn, async (c) => {
    const state = await shared.look(c.var.session, c.req.param('id'));
    if (!state) throw new Problem('There is no such payment.', { status: 404, code: 'payment-not-found' });
    return c.json({ ...state, account: await viewOf(c.var.session) });
  });
  bank.post('/bank/lost-device', signedIn, async (c) => {
    const { session } = c.var;
    const check = await loseDevice(c.req.raw, session, { omi, stepUp });
    return c.json({ ...(await viewOf(session)), check });
  });
  return async (request) => await bank.fetch(request);
}

/** As the page knows the user: another one for those who have started again, and without the visitor's secret. */
const shownId = (userId: string): string => userId.replace(/\.[^~]*/, '');

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
