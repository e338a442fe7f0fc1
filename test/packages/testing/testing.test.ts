/** `@omi/testing`: what a website's tests see of each user, by the real `Omi` class and its real routes. */
import { describe, expect, test } from '@jest/globals';
import { type Intent, testOmi } from '#testing';
import {
  createRoutes,
  Denied,
  EvidenceError,
  memoryStore,
  newNonce,
  Omi,
  OmiError,
  verifyEvidence,
} from '#website';

const message = 'Pay 12.50 € to Example Shop?';
const asked = { userId: 'anna', message };
const minute = 60_000;

/** How a question to a user with this intent ends, and milliseconds until then by the test's clock. */
async function outcomeOf(intent: Intent) {
  const omi = testOmi({ users: { anna: intent } });
  const start = omi.now();
  const { status, reason } = await omi.confirm(asked).catch((error: unknown) => {
    if (!(error instanceof OmiError)) throw error;
    return { status: error.code, reason: error.status };
  });
  return { status, reason, afterSeconds: Math.floor((omi.now() - start) / 1000) };
}

const later: Intent = { after: 30_000, then: { after: 30_000, then: 'denies' } };

describe('a user by intent', () => {
  test.each<[Intent, string, string | number | undefined, [least: number, most: number]]>([
    ['confirms', 'confirmed', undefined, [1, 2]],
    ['denies', 'denied', 'user_declined', [1, 2]],
    ['reports', 'denied', 'not_me', [1, 2]],
    ['ignores', 'expired', undefined, [120, 122]],
    ['has-no-device', 'device-not-found', 404, [0, 0]],
    ['has-two-devices', 'device-choice-required', 409, [0, 0]],
    [later, 'denied', 'user_declined', [60, 62]],
    [{ after: 30_000, then: 'has-no-device' }, 'cancelled', 'device_removed', [30, 32]],
    [{ after: 130_000, then: 'confirms' }, 'expired', undefined, [120, 122]],
  ])('%j: %s', async (intent, status, reason, [least, most]) => {
    const outcome = await outcomeOf(intent);
    expect(outcome).toMatchObject({ status, reason });
    expect(outcome.afterSeconds).toBeGreaterThanOrEqual(least);
    expect(outcome.afterSeconds).toBeLessThanOrEqual(most);
  });

  test('others do what `otherwise` says, and may change their mind about what is open', async () => {
    const omi = testOmi({ users: { anna: 'ignores' }, otherwise: 'denies' });
    expect((await omi.confirm({ ...asked, userId: 'bert' })).status).toBe('denied');
    const { nonce } = await omi.send(asked);
    omi.user('anna').will({ after: 5_000, then: 'confirms' });
    expect((await omi.poll(nonce)).status).toBe('pending');
    omi.advance(5_000);
    expect((await omi.poll(nonce)).status).toBe('confirmed');
    omi.user('anna').will('denies');
    expect((await omi.poll(nonce)).status).toBe('confirmed');
  });
});

describe('what was answered', () => {
  const details = [{ type: 'payment', amount: '12.50' }];
  const question = {
    ...asked,
    details,
    purpose: 'add-device',
    requestedFrom: { browser: 'Firefox' },
  } as const;

  test.each<Intent>(['confirms', 'denies'])(
    'is signed, and proves itself by the keys: %s',
    async (intent) => {
      const omi = testOmi({ otherwise: intent });
      const confirmation = await omi.confirm(question);
      const known = { ...question, nonce: confirmation.nonce, baseUrl: omi.baseUrl, keys: omi.keys };
      const evidence = await verifyEvidence(confirmation, { ...known, testUsers: true });
      expect(evidence.sub).toBe('anna');
      const [device] = await omi.devices('anna');
      expect(evidence.jkt).toBe(device?.keyThumbprint);
      const codeOf = async (asked: Parameters<typeof verifyEvidence>[1]) =>
        await verifyEvidence(confirmation, asked).catch((error: unknown) =>
          error instanceof EvidenceError ? error.code : error,
        );
      await expect(codeOf({ ...known, testUsers: true, message: 'Pay 9000 €?' })).resolves.toBe(
        'messageHash',
      );
      // A website in production that meets it refuses it.
      await expect(codeOf(known)).resolves.toBe('receipt-by');
      await expect(codeOf({ ...known, testUsers: true, keys: testOmi().keys })).resolves.toBe('receipt-key');
    },
  );

  test('is what `new Omi` gives, and tells what was asked', async () => {
    const omi = testOmi();
    expect(omi).toBeInstanceOf(Omi);
    const told: string[] = [];
    await omi.confirm({ ...question, onPending: ({ status }) => told.push(status) });
    await omi.confirm(asked);
    expect(told).toEqual(['pending']);
    expect(omi.asked).toEqual([
      { ...question, nonce: expect.any(String), deviceId: expect.any(String) },
      { ...asked, nonce: expect.any(String), deviceId: expect.any(String) },
    ]);
  });
});

describe('the service refuses', () => {
  const codeOf = async (work: Promise<unknown>) =>
    await work.then(
      () => 'nothing',
      (error: unknown) => (error instanceof OmiError ? error.code : error),
    );

  test('what is open, used, unknown or not valid', async () => {
    const omi = testOmi({ otherwise: 'ignores' });
    const nonce = newNonce();
    await omi.send({ ...asked, nonce });
    expect(await omi.send({ ...asked, nonce })).toMatchObject({ repeated: true });
    await expect(omi.send(asked)).rejects.toMatchObject({ code: 'confirmation-pending', retryAfter: 120 });
    await expect(codeOf(omi.send({ ...asked, nonce, message: 'Other?' }))).resolves.toBe(
      'nonce-already-used',
    );
    await expect(codeOf(omi.poll(newNonce()))).resolves.toBe('confirmation-not-found');
    await expect(codeOf(omi.enrolment('e'))).resolves.toBe('enrolment-not-found');
    await expect(codeOf(omi.removeDevice('anna', 'd'))).resolves.toBe('device-not-found');
    await expect(omi.send({ ...asked, message: 'x'.repeat(257), expiresIn: 1 })).rejects.toMatchObject({
      code: 'invalid-request',
      errors: [{ pointer: '#/message' }, { pointer: '#/expiresIn' }],
    });
    await omi.withdrawAll('anna');
    expect(await omi.poll(nonce)).toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
    omi.user('anna').will('confirms');
    const other = await omi.send(asked);
    await expect(codeOf(omi.withdraw(other.nonce))).resolves.toBe('already-decided');
  });

  test('to ask a user for 20 minutes after "I did not start this"', async () => {
    const omi = testOmi({ otherwise: 'reports' });
    await omi.confirm(asked);
    await expect(codeOf(omi.confirm(asked))).resolves.toBe('too-many-notifications');
    omi.advance(20 * minute);
    expect((await omi.confirm(asked)).status).toBe('denied');
  });

  test('nothing else: an abort withdraws', async () => {
    const omi = testOmi({ otherwise: 'ignores' });
    const controller = new AbortController();
    const onPending = (): void => controller.abort(new Error('left'));
    await expect(omi.confirm({ ...asked, signal: controller.signal, onPending })).rejects.toThrow('left');
    expect(await omi.poll(omi.asked.at(-1)?.nonce ?? '')).toMatchObject({ status: 'cancelled' });
  });
});

describe('devices', () => {
  test('are chosen, added and removed', async () => {
    const omi = testOmi({ users: { anna: 'has-two-devices', bert: 'has-no-device', cora: 'ignores' } });
    const [newest, oldest] = await omi.devices('anna');
    expect((await omi.confirm({ ...asked, deviceId: oldest?.deviceId })).status).toBe('confirmed');
    await omi.removeDevice('anna', newest?.deviceId ?? '');
    expect((await omi.confirm(asked)).status).toBe('confirmed');

    const { enrolmentId } = await omi.enrol({ userId: 'bert', accountLabel: 'Bert' });
    const enrolment = await omi.enrolment(enrolmentId);
    expect(enrolment).toMatchObject({ status: 'completed', device: { deviceId: expect.any(String) } });
    expect(await omi.enrolment(enrolmentId)).toEqual(enrolment);
    expect((await omi.confirm({ ...asked, userId: 'bert' })).status).toBe('confirmed');

    const unseen = await omi.enrol({ userId: 'cora' });
    expect(await omi.enrolment(unseen.enrolmentId)).toEqual({ status: 'waiting' });
    omi.advance(10 * minute);
    expect(await omi.enrolment(unseen.enrolmentId)).toEqual({ status: 'expired' });
    await omi.setAccountLabel('cora', 'Cora');
  });
});

describe('routes of a website', () => {
  const session = { id: 'session-1', userId: 'anna' };

  async function pay(intent: Intent, waitMs: number) {
    const omi = testOmi({ otherwise: intent });
    const routes = createRoutes(omi, {
      session: () => session,
      message: () => message,
      store: memoryStore(),
    });
    const post = { method: 'POST', headers: { 'omi-page': '1' } };
    const { id } = (await (
      await routes(new Request('https://shop.test/omi/confirmations', post))
    ).json()) as {
      id: string;
    };
    omi.advance(waitMs);
    const action = new Request('https://shop.test/pay', {
      method: 'POST',
      headers: { 'omi-confirmation': id },
    });
    return await routes.consume(action, session).then(
      (consumed) => consumed.message,
      (error: unknown) => (error instanceof Denied ? error.code : error),
    );
  }

  test.each<[Intent, number, string]>([
    ['confirms', 1_000, message],
    ['denies', 1_000, 'not-confirmed'],
    ['confirms', 3 * minute, 'confirmation-too-old'],
    [{ after: 10_000, then: 'confirms' }, 5_000, 'not-confirmed'],
    [{ after: 10_000, then: 'confirms' }, 11_000, message],
  ])('go by its clock: %j, after %i ms: %s', async (intent, waitMs, expected) => {
    await expect(pay(intent, waitMs)).resolves.toBe(expected);
  });
});

test('waits for no clock but its own', async () => {
  const omi = testOmi({ otherwise: 'ignores' });
  expect((await omi.confirm(asked)).status).toBe('expired');
});

describe('a group', () => {
  const asked = { members: ['anna', 'boris', 'carla'], required: 2, message: 'Pay 25,000 €?' };

  test('is approved by the first members who confirm, which its votes prove', async () => {
    const omi = testOmi({
      users: { anna: { after: 3_000, then: 'confirms' }, boris: { after: 9_000, then: 'denies' } },
    });
    const nonce = newNonce();
    const group = await omi.confirmGroup({ ...asked, nonce });
    expect([group.status, ...group.votes.map(({ status }) => status)]).toEqual([
      'approved',
      'confirmed',
      'cancelled',
      'confirmed',
    ]);
    expect([...(await omi.verifyGroup(group, { ...asked, nonce })).keys()]).toEqual(['anna', 'carla']);
  });

  test('is denied once too few are left, and expires if nobody answers', async () => {
    const denied = await testOmi({ users: { anna: 'denies', boris: 'has-no-device' } }).confirmGroup(asked);
    expect(denied).toMatchObject({ status: 'denied', votes: [{}, { reason: 'not_reachable' }, {}] });
    const { status } = await testOmi({ otherwise: 'ignores' }).confirmGroup(asked);
    expect(status).toBe('expired');
  });

  test('is refused with the members who cannot be asked, and withdrawn with its votes', async () => {
    const omi = testOmi({ otherwise: 'ignores', users: { anna: 'has-no-device', boris: 'has-no-device' } });
    await expect(omi.confirmGroup(asked)).rejects.toMatchObject({
      code: 'group-not-reachable',
      errors: [{ pointer: '/members/0' }, { pointer: '/members/1' }],
    });
    const { nonce } = await omi.requestGroup({ ...asked, required: 1 });
    await omi.withdrawGroup(nonce);
    expect((await omi.group(nonce)).votes.map(({ reason }) => reason)).toEqual([
      'not_reachable',
      'not_reachable',
      'withdrawn',
    ]);
  });
});

describe('a fault', () => {
  test('that passes is not seen by the website, which asks once', async () => {
    const omi = testOmi();
    omi.fails('unavailable', { times: 2 });
    expect((await omi.confirm(asked)).status).toBe('confirmed');
    omi.fails('no-answer');
    expect((await omi.confirm(asked)).status).toBe('confirmed');
    expect(omi.asked).toHaveLength(2);
  });

  test.each([
    ['unavailable', 'temporarily-unavailable'],
    ['no-answer', 'network'],
    ['unauthorized', 'unauthorized'],
  ] as const)('that stays is an error of the website: %s', async (fault, code) => {
    const omi = testOmi();
    omi.fails(fault, { times: 100 });
    const { code: thrown } = (await omi.devices('anna').catch((error: unknown) => error)) as OmiError;
    expect(thrown).toBe(code);
  });
});

describe('a callback', () => {
  test('tells of each end once, and is verified as one of the service', async () => {
    const omi = testOmi({ callbacks: true, users: { bert: 'denies', carl: 'ignores' } });
    for (const userId of ['anna', 'bert', 'carl']) await omi.send({ ...asked, userId });
    const receive = async (request: Request) => await omi.verifyCallback(request);
    const told = await omi.callBack(receive);
    expect(told.map(({ type }) => type)).toEqual(['confirmation.confirmed', 'confirmation.denied']);
    expect(told[0]?.data).not.toHaveProperty('nonce');
    omi.advance(121_000);
    expect((await omi.callBack(receive)).map(({ type }) => type)).toEqual(['confirmation.expired']);
    expect(await omi.callBack(receive)).toEqual([]);
  });

  test('of another secret is refused', async () => {
    const [omi, other] = [testOmi({ callbacks: true }), testOmi({ callbacks: true })];
    await omi.send(asked);
    const refused = omi.callBack(async (request) => await other.verifyCallback(request));
    await expect(refused).rejects.toMatchObject({ code: 'invalid-callback' });
  });

  test('tells of a group, and not of its votes', async () => {
    const omi = testOmi({ callbacks: true });
    await omi.confirmGroup({ members: ['anna', 'bert'], required: 2, message });
    const told = await omi.callBack(async (request) => await omi.verifyCallback(request));
    expect(told.map(({ type }) => type)).toEqual(['group.approved']);
  });
});
