/** Who can sign in. The ids are the bank's own, as OMI gets them: they say nothing about a person. */
export type User = { userId: string; name: string; about: string };

/** Money is in cents. */
export type Beginning = { balance: number; limit: number; address: string };

/** Their phones are real devices at OMI: none of them has one before somebody enrols it. */
export const users: readonly (User & Beginning)[] = [
  {
    userId: 'customer-2071',
    name: 'Anna Weber',
    about: 'Opened her account today. Connect her first phone, then pay with it.',
    balance: 248_050,
    limit: 50_000,
    address: 'Lindenstraße 12, 10969 Berlin',
  },
  {
    userId: 'customer-4418',
    name: 'Ben Okafor',
    about: 'Has little left this month. The bank refuses what he cannot pay, before it asks his phone.',
    balance: 3_500,
    limit: 20_000,
    address: '7 Canal Street, Manchester M1 3HE',
  },
  {
    userId: 'customer-9036',
    name: 'Chiara Rossi',
    about: 'Has a lot to lose. Connect two phones, raise her limit, and then lose one phone.',
    balance: 5_400_000,
    limit: 100_000,
    address: 'Via Garibaldi 3, 16124 Genova',
  },
];

/** What apps show of the user's account, in place of the id. */
export function accountLabelOf(id: string): string | undefined {
  const user = userOf(id);
  return user && `${user.name.split(' ')[0] ?? ''} · …${user.userId.slice(-4)}`;
}

/** Where the bank is on the Internet, each visitor has users of their own: `<user id>.<visitor>`. `~<number>` is of those who started again. */
export const userOf = (userId: string): (User & Beginning) | undefined =>
  users.find((user) => user.userId === userId.split(/[.~]/)[0]);
