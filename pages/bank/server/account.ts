import type { Device } from '#website';
import type { Beginning, User } from './users.ts';

export type Payment = { at: string; to: string; amount: number };

/** What the bank knows of a user. Money is in cents. */
export type Account = Beginning & { payments: Payment[] };

export const newAccount = ({ balance, limit, address }: Beginning): Account => ({
  balance,
  limit,
  address,
  payments: [],
});

const mostPayments = 50;

export const withPayment = (account: Account, payment: Payment): Account => ({
  ...account,
  balance: account.balance - payment.amount,
  payments: [...account.payments, payment].slice(-mostPayments),
});

const euros = (cents: number): number => cents / 100;

/** As the page gets it: money in euros. */
export const accountView = ({ userId, name }: User, account: Account, devices: readonly Device[]) => ({
  user: { userId, name },
  balance: euros(account.balance),
  address: account.address,
  limit: euros(account.limit),
  payments: account.payments.map(({ at, to, amount }) => ({ at, to, amount: euros(amount) })),
  devices: devices.map(({ deviceId, name: deviceName, platform, status, enrolledAt, lastSeenAt }) => ({
    ...{ deviceId, name: deviceName, platform, status, enrolledAt },
    ...(lastSeenAt !== undefined && { lastSeenAt }),
  })),
});
