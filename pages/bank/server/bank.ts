import type { Omi, Store } from '#website';
import { accountView } from './account.ts';
import { type AccountStore, changeAccount } from './account-store.ts';
import { readAction } from './actions.ts';
import { fieldsOf, withWholeBody } from './body.ts';
import { answerTo } from './failures.ts';
import type { LiveFeed } from './live/live-feed.ts';
import { loseDevice } from './lost-device.ts';
import { Problem } from './problem.ts';
import { json, noContent } from './responses.ts';
import { checkSameSite } from './same-site.ts';
import { type BankSession, Sessions } from './sessions.ts';
import { actionAt, createStepUp, STEP_UP_PATH } from './step-up.ts';
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

type Call = { request: Request; session: BankSession };

/** The demo bank: a website that asks for confirmations with `@omi/website`. */
export function createBank(parts: BankParts): (request: Request) => Promise<Response> {
  const { origin, omi, omiForLimits, store, accounts, live, now = Date.now, onError } = parts;
  const userIdOf = parts.userIdOf ?? ((_: Request, userId: string): string => userId);
  const sessions = new Sessions({ store, isSecure: new URL(origin).protocol === 'https:', now });
  const findSession = async (request: Request) => await sessions.find(request);
  const stepUp = createStepUp({ omi, omiForLimits, accounts, store, origin, findSession, now, onError });

  async function viewOf({ userId }: BankSession) {
    const user = requireUser(userId);
    const { account, devices } = await stepUp.situationOf(userId);
    return accountView(user, account, devices);
  }

  async function signIn(request: Request): Promise<Response> {
    const { userId } = requireUser((await fieldsOf(request))['userId']);
    const before = await findSession(request);
    if (before) {
      await sessions.end(before);
      live.end(before);
    }
    const { cookie } = await sessions.begin(userIdOf(request, userId));
    return noContent(cookie);
  }

  async function signOut(request: Request): Promise<Response> {
    const session = await findSession(request);
    if (!session) return noContent(sessions.endedCookie());
    live.end(session);
    return noContent(await sessions.end(session));
  }

  /** A sensitive action: only what the user has just confirmed on a phone, and only once. */
  async function act({ request, session }: Call): Promise<Response> {
    const action = readAction(await fieldsOf(request), actionAt(new URL(request.url).pathname));
    await stepUp.consume(request, session);
    const { devices } = await stepUp.situationOf(session.userId);
    const at = new Date(now()).toISOString();
    await changeAccount(accounts, session.userId, (account) => action.apply({ account, devices, at }));
    return json(await viewOf(session));
  }

  const routes: Record<string, (call: Call) => Promise<Response>> = {
    'GET /bank/account': async ({ session }) => json(await viewOf(session)),
    'POST /bank/address': act,
    'POST /bank/payments': act,
    'POST /bank/limit': act,
    'POST /bank/lost-device': async ({ request, session }) => {
      const check = await loseDevice(request, session, { omi, stepUp });
      return json({ ...(await viewOf(session)), check });
    },
    'GET /bank/live': async ({ request, session }) => await Promise.resolve(live.open(session, request)),
  };

  const openRoutes: Record<string, (request: Request) => Promise<Response>> = {
    'GET /bank/users': async () =>
      await Promise.resolve(
        json({ users: users.map(({ userId, name, about }) => ({ userId, name, about })) }),
      ),
    // The page may connect to its own origin alone.
    'GET /bank/omi-keys': async () => json(await (await fetch(`${omi.baseUrl}/.well-known/omi-keys`)).json()),
    'POST /bank/sign-in': signIn,
    'POST /bank/sign-out': signOut,
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const key = `${request.method} ${pathname}`;
    const open = openRoutes[key];
    if (open) return await open(request);
    const session = await findSession(request);
    if (pathname.startsWith(`${STEP_UP_PATH}/`))
      return session
        ? await live.during(session, async () => await stepUp.answer(request))
        : await stepUp.answer(request);
    const route = routes[key];
    if (!route) throw notFound([...Object.keys(routes), ...Object.keys(openRoutes)], pathname);
    if (!session) throw new Problem('Sign in first.', { status: 401, code: 'signed-out' });
    return await live.during(session, async () => await route({ request, session }));
  }

  return async (request) => {
    try {
      checkSameSite(request, origin);
      return await answer(await withWholeBody(request));
    } catch (error) {
      return answerTo(error, onError);
    }
  };
}

function requireUser(userId: string | undefined) {
  const user = userId === undefined ? undefined : userOf(userId);
  if (user) return user;
  throw new Problem('The bank has no such user.', { status: 404, code: 'user-not-found', field: 'userId' });
}

function notFound(keys: readonly string[], pathname: string): Problem {
  const methods = keys.flatMap((key) => (key.endsWith(` ${pathname}`) ? [key.split(' ')[0] ?? ''] : []));
  if (methods.length === 0) return new Problem('This path is unknown.', { status: 404, code: 'not-found' });
  const headers = { allow: methods.join(', ') };
  return new Problem('This method is not allowed here.', {
    status: 405,
    code: 'method-not-allowed',
    headers,
  });
}
