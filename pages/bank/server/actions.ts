import type { Device, Question } from '#website';
import { type Account, withPayment } from './account.ts';
import type { Fields } from './body.ts';
import { Problem, refusedField } from './problem.ts';
import { amountOf, money, textOf } from './text.ts';

/** The sensitive actions of the bank, by the names in the field `action`. */
export const actionNames = ['address', 'payment', 'limit', 'add-device', 'remove-device'] as const;
export type ActionName = (typeof actionNames)[number];

/** The bank as one action sees it: the account and the user's devices at this moment. */
export type Situation = { account: Account; devices: readonly Device[]; at: string };

/** What an action asks the user, and the account that it leaves. Both throw a {@link Problem} if it is not possible. */
export type Action = {
  question: (situation: Situation) => Question;
  apply: (situation: Situation) => Account;
};

const largestLimit = 1_000_000;

function changeAddress(fields: Fields): Action {
  const address = textOf(fields['street'], { field: 'street', what: 'an address', most: 120 });
  return {
    question: () => ({ message: `Change your address to ${address}?` }),
    apply: ({ account }) => ({ ...account, address }),
  };
}

/** @throws {Problem} if a field is missing or wrong */
export const readPayment = (fields: Fields) => ({
  to: textOf(fields['to'], { field: 'to', what: 'a name', most: 60 }),
  amount: amountOf(fields['amount'], 'amount'),
});

/** @throws {Problem} if there is not enough money */
export function checkBalance({ balance }: Account, { amount }: { amount: number }): void {
  if (amount > balance)
    throw refusedField('amount', `Your balance is ${money(balance)}: you cannot pay ${money(amount)}.`);
}

function pay(fields: Fields): Action {
  const { to, amount } = readPayment(fields);
  const check = ({ account }: Situation): void => {
    checkBalance(account, { amount });
    const { limit } = account;
    if (amount > limit)
      throw refusedField(
        'amount',
        `Your limit is ${money(limit)}: raise it, or have a second person confirm ${money(amount)}.`,
      );
  };
  return {
    question: (situation) => {
      check(situation);
      return {
        message: `Pay ${money(amount)} to ${to}?`,
        details: [{ type: 'payment', to, amount: (amount / 100).toFixed(2), currency: 'EUR' }],
      };
    },
    apply: (situation) => {
      check(situation);
      return withPayment(situation.account, { at: situation.at, to, amount });
    },
  };
}

function changeLimit(fields: Fields): Action {
  const limit = amountOf(fields['amount'], 'amount');
  if (limit > largestLimit) throw refusedField('amount', `The limit is at most ${money(largestLimit)}.`);
  return {
    question: ({ account }) => {
      if (limit === account.limit) throw refusedField('amount', `Your limit is ${money(limit)} already.`);
      return { message: `Change your limit for payments from ${money(account.limit)} to ${money(limit)}?` };
    },
    apply: ({ account }) => ({ ...account, limit }),
  };
}

/** The routes of `@omi/website` make the code for the device. */
const addDevice = (): Action => ({
  question: () => ({ message: 'Connect another phone to your account?', purpose: 'add-device' }),
  apply: ({ account }) => account,
});

/** The device itself is removed at OMI. */
const removeDevice = ({ deviceId }: Fields): Action => ({
  question: ({ devices }) => {
    const { name, deviceId: subjectDeviceId } = requireDevice(devices, deviceId);
    return {
      message: `Remove the phone ${name} from your account?`,
      purpose: 'remove-device',
      subjectDeviceId,
    };
  },
  apply: ({ account }) => account,
});

/** @throws {Problem} if the user has no such device */
export function requireDevice(devices: readonly Device[], deviceId: string | undefined): Device {
  const device = devices.find((one) => one.deviceId === deviceId);
  if (device) return device;
  throw new Problem('You have no such phone.', { status: 404, code: 'device-not-found', field: 'deviceId' });
}

const actions: Readonly<Record<ActionName, (fields: Fields) => Action>> = {
  address: changeAddress,
  payment: pay,
  limit: changeLimit,
  'add-device': addDevice,
  'remove-device': removeDevice,
};

const isActionName = (name: string | undefined): name is ActionName =>
  actionNames.some((known) => known === name);

/**
 * @param fixed the action of the path. The fields must not name another one: what was confirmed for one action would count for
 *   the other.
 */
export function actionNameOf(fields: Fields, fixed?: ActionName): ActionName {
  const name = fields['action'] ?? fixed;
  if (isActionName(name) && (fixed === undefined || name === fixed)) return name;
  throw new Problem(`The field "action" is one of ${actionNames.join(', ')}.`, {
    status: 400,
    code: 'invalid-request',
    field: 'action',
  });
}

/** @throws {Problem} if a field is missing or wrong */
export const readAction = (fields: Fields, fixed?: ActionName): Action =>
  actions[actionNameOf(fields, fixed)](fields);
