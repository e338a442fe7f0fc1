import { describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { useBankStack } from './bank-stack.ts';
import { type Answer, type BankProblem, Visitor } from './visitor.ts';

const stack = useBankStack({ perTenMinutes: 1000, perDay: 1000 });
const [anna, ben, chiara] = ['customer-2071', 'customer-4418', 'customer-9036'];

const newVisitor = (cookie?: string): Visitor => new Visitor(stack.file.siteUrl, cookie);
const signedIn = async (userId: string): Promise<Visitor> => {
  const visitor = newVisitor();
  await visitor.signIn(userId);
  return visitor;
};

const withoutPhone = async (userId: string): Promise<Visitor> => {
  const visitor = await signedIn(userId);
  for (const { deviceId } of (await visitor.account()).devices)
    await stack.bank.removeDevice(userId, deviceId);
  return visitor;
};

/** The first phone of a user who has none, as after each test. */
const withPhone = async (userId: string) => {
  const visitor = await withoutPhone(userId);
  return { visitor, phone: await visitor.enrol('Phone') };
};

const refusal = ({ status, body }: Answer<BankProblem>) => ({ status, code: body.code });

describe('signing in', () => {
  test('sets a cookie that is only for this origin and the server', async () => {
    const { headers } = await newVisitor().postJson('/bank/sign-in', { userId: anna });
    expect(headers.get('set-cookie')).toMatch(
      /^bank-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
  });

  test('starts a new session and ends the previous one, so that nobody can plant a session', async () => {
    const known = `bank-session=${'A'.repeat(43)}`;
    const visitor = newVisitor(known);
    await visitor.signIn(anna);
    expect(visitor.cookie).not.toBe(known);
    expect((await newVisitor(known).call('/bank/account')).status).toBe(401);
    const before = visitor.cookie;
    await visitor.signIn(ben);
    expect(visitor.cookie).not.toBe(before);
    expect((await newVisitor(before).call('/bank/account')).status).toBe(401);
    expect(await visitor.account()).toMatchObject({ user: { userId: ben } });
  });

  test('ends with signing out, also for the same cookie', async () => {
    const visitor = await signedIn(anna);
    const { cookie } = visitor;
    expect((await visitor.call('/bank/sign-out', { method: 'POST' })).status).toBe(204);
    expect((await newVisitor(cookie).call('/bank/account')).status).toBe(401);
  });

  test('refuses an unknown user by the name of the field', async () => {
    const answer = await newVisitor().postJson('/bank/sign-in', { userId: 'nobody' });
    expect(refusal(answer)).toEqual({ status: 404, code: 'user-not-found' });
    expect(answer.body.errors).toMatchObject([{ pointer: '#/userId' }]);
  });

  test.each(['GET /bank/account', 'GET /bank/live', 'POST /bank/payments', 'POST /bank/lost-device'])(
    'is required for %s',
    async (call) => {
      const [method = '', path = ''] = call.split(' ');
      const body = method === 'POST' ? new URLSearchParams({ action: 'payment' }) : null;
      const answer = await newVisitor().call(path, { method, body });
      expect(refusal(answer)).toEqual({ status: 401, code: 'signed-out' });
    },
  );
});

describe('a request of another site', () => {
  test.each([
    ['an Origin of another site', { origin: 'https://evil.example' }],
    ['the same host at another port', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
    ['an opaque origin', { origin: 'null' }],
  ])('is refused: %s', async (_, headers) => {
    const visitor = await signedIn(anna);
    for (const path of ['/bank/sign-in', '/bank/sign-out', '/bank/payments', '/bank/lost-device'])
      expect((await visitor.post(path, { to: 'Eve', amount: '1' }, headers)).status).toBe(403);
    expect((await visitor.call('/bank/account')).status).toBe(200);
  });
});

describe('a payment', () => {
  test('is executed once, after the phone signed it', async () => {
    const { visitor, phone } = await withPhone(anna);
    const before = await visitor.account();
    const fields = { action: 'payment', to: 'Café Zoë', amount: '20.50' };
    const id = await visitor.confirm(phone, fields);
    const paid = await visitor.post<typeof before>('/bank/payments', { ...fields, 'omi-confirmation': id });
    expect(paid).toMatchObject({ status: 200, body: { balance: before.balance - 20.5 } });
    expect(paid.body.payments.at(-1)).toMatchObject({ to: 'Café Zoë', amount: 20.5 });
    const again = await visitor.post('/bank/payments', { ...fields, 'omi-confirmation': id });
    expect(again.status).toBe(403);
    expect((await visitor.account()).balance).toBe(before.balance - 20.5);
  });

  test.each([
    ['another amount', { amount: '21' }],
    ['another payee', { to: 'Eve' }],
  ])('is refused with %s than the confirmed one', async (_, changed) => {
    const { visitor, phone } = await withPhone(anna);
    const { devices: __, ...before } = await visitor.account();
    const fields = { action: 'payment', to: 'Café Zoë', amount: '20' };
    const id = await visitor.confirm(phone, fields);
    const answer = await visitor.post('/bank/payments', { ...fields, ...changed, 'omi-confirmation': id });
    expect(answer.status).toBe(403);
    expect(await visitor.account()).toMatchObject(before);
  });

  test.each([
    ['above the balance', ben, '35.01', 'amount', /balance is 35.00 €/],
    ['above the limit', chiara, '1000.01', 'amount', /limit is 1,000.00 €/],
    ['of nothing', anna, '0', 'amount', /amount in euros/],
    ['of a word', anna, 'ten', 'amount', /amount in euros/],
    ['below nothing', anna, '-5', 'amount', /amount in euros/],
  ])(
    '%s is refused before the phone is asked, with the name of the field',
    async (_, user, amount, field, text) => {
      const { visitor, phone } = await withPhone(user);
      const fields = { action: 'payment', to: 'Café Zoë', amount };
      for (const answer of [
        await visitor.ask<BankProblem>(fields),
        await visitor.post('/bank/payments', { ...fields, 'omi-confirmation': 'A'.repeat(22) }),
      ]) {
        expect(refusal(answer)).toEqual({ status: 403, code: 'denied' });
        expect(answer.body.detail).toMatch(text);
        expect(answer.body.errors).toMatchObject([{ pointer: `#/${field}` }]);
      }
      expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
    },
  );

  test('is executed once when the balance covers only one of two', async () => {
    const { visitor, phone } = await withPhone(ben);
    const { balance } = await visitor.account();
    const pay = { action: 'payment', to: 'Café Zoë', amount: String(balance - 1) };
    const ids = [await visitor.confirm(phone, pay), await visitor.confirm(phone, pay)];
    const answers = await Promise.all(
      ids.map(async (id) => await visitor.post('/bank/payments', { ...pay, 'omi-confirmation': id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await visitor.account()).balance).toBeCloseTo(1);
  });

  test.each([
    ['to nobody', { to: ' ' }],
    ['to a name with a line end', { to: 'Café\nZoë' }],
    ['to a name that reverses the text', { to: '\u202Eëoz' }],
    ['to a name with an invisible mark', { to: 'Z\u200foë' }],
    ['to a very long name', { to: 'x'.repeat(61) }],
  ])('is refused %s', async (_, changed) => {
    const { visitor } = await withPhone(anna);
    const answer = await visitor.ask<BankProblem>({ action: 'payment', amount: '1', ...changed });
    expect(answer).toMatchObject({ status: 403, body: { errors: [{ pointer: '#/to' }] } });
  });
});

describe('a payment above the limit', () => {
  type Shared = { id: string; status: string; votes: { name: string; status: string }[] };
  const fields = { to: 'Café Zoë', amount: '600' };

  const asked = async (visitor: Visitor): Promise<Shared> =>
    (await visitor.postJson<Shared>('/bank/shared-payments', fields)).body;
  const look = async (visitor: Visitor, { id }: Shared) =>
    await visitor.call<Shared & BankProblem>(`/bank/shared-payments/${id}`);
  const openOn = async (phone: SimulatedDevice) => {
    const [challenge] = bodyOf(await phone.challenges()).challenges;
    if (!challenge) throw new Error('Nothing to answer');
    return challenge;
  };
  const confirms = async (phone: SimulatedDevice) => bodyOf(await phone.confirm(await openOn(phone)));

  test('is carried out once, when the payer and another customer have confirmed', async () => {
    const { visitor, phone } = await withPhone(anna);
    const other = (await withPhone(ben)).phone;
    const before = await visitor.account();
    const payment = await asked(visitor);
    expect(payment).toMatchObject({ status: 'pending', votes: [{ status: 'pending' }, {}, {}] });
    await confirms(phone);
    expect((await look(visitor, payment)).body.status).toBe('pending');
    expect((await openOn(other)).votes).toEqual({ confirmed: 1, confirmedBy: ['Anna · …2071'] });
    await confirms(other);
    const { body } = await look(visitor, payment);
    expect(body).toMatchObject({ status: 'approved', account: { balance: before.balance - 600 } });
    expect((await look(visitor, payment)).status).toBe(404);
  });

  test('is not carried out if two others have confirmed, and the payer has not', async () => {
    const { visitor } = await withPhone(anna);
    const others = [(await withPhone(ben)).phone, (await withPhone(chiara)).phone];
    const { balance } = await visitor.account();
    const payment = await asked(visitor);
    for (const phone of others) await confirms(phone);
    const refused = await look(visitor, payment);
    expect(refusal(refused)).toEqual({ status: 409, code: 'payer-not-among-them' });
    expect(refused.body.detail).toMatch(
      /^Nothing was paid\. .* Ask again, and confirm it on your phone before/,
    );
    expect((await look(visitor, payment)).status).toBe(404);
    expect((await visitor.account()).balance).toBe(balance);
  });

  test('is refused by name before anybody is asked, if the payer has no phone', async () => {
    const others = [(await withPhone(ben)).phone, (await withPhone(chiara)).phone];
    const visitor = await withoutPhone(anna);
    const answer = await visitor.postJson('/bank/shared-payments', fields);
    expect(refusal(answer)).toEqual({ status: 409, code: 'payer-without-phone' });
    expect(answer.body.detail).toMatch(/^Anna Weber .* has no phone/);
    for (const phone of others) expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
  });

  test('is refused if no other customer has a phone', async () => {
    for (const userId of [ben, chiara]) await withoutPhone(userId);
    const { visitor } = await withPhone(anna);
    const answer = await visitor.postJson('/bank/shared-payments', fields);
    expect(refusal(answer)).toEqual({ status: 409, code: 'nobody-reachable' });
  });

  test('needs nobody else within the limit', async () => {
    const { visitor } = await withPhone(anna);
    const answer = await visitor.postJson('/bank/shared-payments', { ...fields, amount: '500' });
    expect(answer).toMatchObject({ status: 403, body: { errors: [{ pointer: '#/amount' }] } });
  });
});

describe('an address', () => {
  test('changes after a confirmation', async () => {
    const { visitor, phone } = await withPhone(chiara);
    const fields = { action: 'address', street: 'Rua Nova 1, Lisboa' };
    const id = await visitor.confirm(phone, fields);
    const { body } = await visitor.post('/bank/address', { ...fields, 'omi-confirmation': id });
    expect(body).toMatchObject({ address: 'Rua Nova 1, Lisboa' });
  });
});

describe('a limit', () => {
  test('requires a number that only the website shows', async () => {
    const { visitor, phone } = await withPhone(chiara);
    const fields = { action: 'limit', amount: '1500' };
    const asked = (await visitor.ask(fields)).body;
    expect(asked.matchCode).toMatch(/^\d{2}$/);
    expect(asked.message).toBe('Change your limit for payments from 1,000.00 € to 1,500.00 €?');
    const [challenge] = bodyOf(await phone.challenges()).challenges;
    expect(challenge?.matchNumbers).toHaveLength(3);
    if (!challenge) throw new Error('Nothing to answer');
    const without = await phone.confirm(challenge);
    expect(without).toMatchObject({ status: 422 });
    bodyOf(await phone.answer(challenge, { decision: 'confirm', number: asked.matchCode ?? '' }));
    await visitor.until(asked.id, 'confirmed');
    const { body } = await visitor.post('/bank/limit', { ...fields, 'omi-confirmation': asked.id });
    expect(body).toMatchObject({ limit: 1500 });
  });

  test.each([
    ['unchanged', '500'],
    ['too high', '10000.01'],
  ])('is refused if it is %s', async (_, amount) => {
    const visitor = await signedIn(anna);
    const answer = await visitor.ask<BankProblem>({ action: 'limit', amount });
    expect(answer).toMatchObject({ status: 403, body: { errors: [{ pointer: '#/amount' }] } });
  });
});

describe('phones', () => {
  test('need a confirmation on the first phone for a further one, once', async () => {
    const { visitor, phone } = await withPhone(chiara);
    const refused = await visitor.startEnrolment<BankProblem>();
    expect(refusal(refused)).toEqual({ status: 403, code: 'confirmation-required' });
    const paid = await visitor.confirm(phone, { action: 'address', street: 'Elsewhere 1' });
    expect((await visitor.startEnrolment({ confirmation: paid })).status).toBe(403);
    const id = await visitor.confirm(phone, { action: 'add-device' });
    await visitor.enrol('Tablet', { confirmation: id });
    expect((await visitor.account()).devices.map(({ name }) => name)).toEqual(['Tablet', 'Phone']);
    expect((await visitor.startEnrolment({ confirmation: id })).status).toBe(403);
  });

  test('can be removed without confirmation if the only one is lost, and the bank names the check that it would make', async () => {
    const { visitor, phone } = await withPhone(anna);
    const { deviceId } = phone.identity;
    const { status, body } = await visitor.postJson<{ check: string; devices: object[] }>(
      '/bank/lost-device',
      {
        deviceId,
      },
    );
    expect(status).toBe(200);
    expect(body.check).toMatch(/identity document/);
    expect(body.devices).toEqual([]);
    expect((await phone.challenges()).status).toBe(401);
  });

  test('are removed with a confirmation on another phone, not on the lost one', async () => {
    const { visitor, phone } = await withPhone(chiara);
    const id = await visitor.confirm(phone, { action: 'add-device' });
    const other = await visitor.enrol('Tablet', { confirmation: id });
    const lost = { action: 'remove-device', deviceId: phone.identity.deviceId };
    const refused = await visitor.postJson('/bank/lost-device', lost);
    expect(refusal(refused)).toEqual({ status: 403, code: 'confirmation-required' });
    const byItself = await visitor.ask<BankProblem>(lost, phone.identity.deviceId);
    expect(byItself).toMatchObject({ status: 403, body: { errors: [{ pointer: '#/deviceId' }] } });
    const confirmed = await visitor.confirm(other, lost);
    const unlike = { deviceId: other.identity.deviceId, 'omi-confirmation': confirmed };
    expect((await visitor.postJson('/bank/lost-device', unlike)).status).toBe(403);
    const removed = await visitor.postJson<{ devices: object[] }>('/bank/lost-device', {
      ...lost,
      'omi-confirmation': confirmed,
    });
    expect(removed).toMatchObject({ status: 200, body: { check: expect.stringContaining('another phone') } });
    expect(removed.body.devices).toMatchObject([{ name: 'Tablet' }]);
  });
});

describe('a body', () => {
  test.each([
    ['it is not a form', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['it is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['it is too large', { body: new URLSearchParams({ userId: 'x'.repeat(20_000) }) }, 413],
    [
      'a field is repeated',
      {
        body: new URLSearchParams([
          ['userId', 'a'],
          ['userId', 'b'],
        ]),
      },
      400,
    ],
  ])('is refused if %s', async (_, init, status) => {
    expect((await newVisitor().call('/bank/sign-in', { method: 'POST', ...init })).status).toBe(status);
  });

  test.each([
    ['GET', '/bank/sign-in', 405],
    ['DELETE', '/bank/account', 405],
    ['GET', '/bank/nothing', 404],
  ])('%s %s has the status %d', async (method, path, status) => {
    expect((await newVisitor().call(path, { method })).status).toBe(status);
  });
});

describe('starting again', () => {
  test('makes a new user of OMI of the same person, without phones, payments and pauses', async () => {
    const { visitor, phone } = await withPhone(chiara);
    const fields = { action: 'payment', to: 'Café Zoë', amount: '1' };
    const id = await visitor.confirm(phone, fields);
    await visitor.post('/bank/payments', { ...fields, 'omi-confirmation': id });
    const elsewhere = await signedIn(chiara);
    const before = await visitor.account();
    expect((await visitor.call('/bank/start-again', { method: 'POST' })).status).toBe(204);
    const { user, devices, payments } = await visitor.account();
    expect(user.name).toBe(before.user.name);
    expect(user.userId).not.toBe(before.user.userId);
    expect([devices, payments]).toEqual([[], []]);
    expect(bodyOf(await stack.bank.listDevices(before.user.userId)).devices).toEqual([]);
    expect(refusal(await elsewhere.call('/bank/account'))).toEqual({ status: 401, code: 'signed-out' });
    expect((await (await signedIn(chiara)).account()).user).toEqual(user);
    await visitor.enrol('New phone');
    expect((await visitor.ask(fields)).status).toBe(201);
  });
});
