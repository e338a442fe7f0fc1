import { createRoutes, type Device, type Omi, type Routes, type Store } from '#website';
import { type AccountStore, readAccount } from './account-store.ts';
import { type ActionName, actionNameOf, readAction, requireDevice, type Situation } from './actions.ts';
import { fieldsOf } from './body.ts';
import { Problem } from './problem.ts';
import { accountLabelOf } from './users.ts';
import type { BankSession } from './sessions.ts';

/** Where the routes of `@omi/website` are. Not `/omi`, which leads to OMI's own API for devices. */
export const stepUpPath = '/step-up';

/** The paths that carry out an action. A confirmation counts for the action of the path alone. */
const actionOfPath: Partial<Record<string, ActionName>> = {
  '/bank/address': 'address',
  '/bank/payments': 'payment',
  '/bank/limit': 'limit',
  '/bank/lost-device': 'remove-device',
};

export const actionAt = (pathname: string): ActionName | undefined => actionOfPath[pathname];

export type StepUpOptions = {
  omi: Omi;
  /** Its client has number matching: for what can do most harm. */
  omiForLimits: Omi;
  accounts: AccountStore;
  store: Store;
  origin: string;
  findSession: (request: Request) => Promise<BankSession | undefined>;
  now: () => number;
  onError: (error: unknown) => void;
};

export type StepUp = Pick<Routes<BankSession>, 'consume'> & {
  answer: (request: Request) => Promise<Response>;
  situationOf: (userId: string) => Promise<Situation>;
};

/**
 * The routes of `@omi/website`, once for each of the bank's two clients. Both have the same store, and a nonce belongs to the
 * tenant. So only the question itself must go to the right one.
 */
export function createStepUp(options: StepUpOptions): StepUp {
  const { omi, omiForLimits, accounts, store, origin, findSession, now, onError } = options;

  const situationOf = async (userId: string): Promise<Situation> => {
    const [{ account }, devices] = await Promise.all([readAccount(accounts, userId), omi.devices(userId)]);
    return { account, devices, at: new Date(now()).toISOString() };
  };

  const routesOf = (client: Omi): Routes<BankSession> =>
    createRoutes<BankSession>(client, {
      path: stepUpPath,
      store,
      origin,
      session: findSession,
      onError,
      now,
      message: async (request, { userId }) => {
        const { pathname, searchParams } = new URL(request.url);
        const fields = await fieldsOf(request);
        const action = readAction(fields, actionAt(pathname));
        const situation = await situationOf(userId);
        const question = action.question(situation);
        const asked = searchParams.get('device');
        if (question.purpose === 'remove-device' && asked !== null)
          requireOther(situation.devices, requireDevice(situation.devices, fields['deviceId']), asked);
        return question;
      },
      accountLabel: ({ userId }) => accountLabelOf(userId),
      enrolment: async (_, { userId }, { confirmed }) => {
        if (!confirmed && (await omi.devices(userId)).length > 0)
          throw new Problem('You have a phone: confirm there that you connect another one.', {
            code: 'confirmation-required',
          });
      },
    });

  const routes = routesOf(omi);
  const routesForLimits = routesOf(omiForLimits);

  return {
    situationOf,
    answer: async (request) => {
      const isQuestion =
        request.method === 'POST' && new URL(request.url).pathname === `${stepUpPath}/confirmations`;
      const isLimit = isQuestion && actionNameOf(await fieldsOf(request)) === 'limit';
      return await (isLimit ? routesForLimits : routes)(request);
    },
    consume: async (request, session) => await routes.consume(request, session),
  };
}

/**
 * Who found a phone, or stole it, could confirm on it that the other one is removed.
 *
 * @throws {Problem} if the removed phone itself would confirm its removal, and there is another one
 */
export function requireOther(devices: readonly Device[], { deviceId }: Device, confirming: string): void {
  if (devices.length === 1 || deviceId !== confirming) return;
  throw new Problem('Confirm with another phone than the one that you lost.', { field: 'deviceId' });
}
