import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { callsOf } from '../../tools/bench/cost/round-trips.ts';
import { accessKeyIdOf } from '../../tools/local/lambda/runtime-environment.ts';
import { routes } from '../../lambdas/routes.ts';
import { scan } from '#device';
import { postPreview } from '../../client/device/device-api.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import type { Answer } from '../../client/http.ts';
import { recording } from '../support/recorded-calls.ts';
import { signIn } from '../support/staff.ts';
import type { TestStack } from '../support/stack.ts';
import { newEvent, postEvents } from './events.ts';
import { succeeded } from './expectations.ts';
import { openBank } from './further-devices/bank.ts';
import {
  challengedDevice,
  enrolDevice,
  newUser,
  notification,
  openChallenge,
  push,
  repeatedly,
  startEnrolment,
  tryPush,
} from './scenario.ts';
import { question } from './website/groups.ts';
import { challengedWithPasskey } from './user-verification/scene.ts';

const lambdas = new Map(
  ['authorize', 'authorize-exports', ...routes.map(({ lambda }) => lambda)].map((lambda) => [
    accessKeyIdOf(lambda),
    lambda,
  ]),
);

/** Each Lambda is held to the budget of `tools/bench/cost/round-trips.ts`, by which the cost model counts. */
export function roundTrips(stack: TestStack): void {
  /** What the Lambdas of the API called for a request that succeeded, in order. */
  const costOf = async (status: number, request: () => Promise<Answer<unknown>>): Promise<string[]> => {
    const { result, calls } = await recording(stack, request);
    succeeded(result, status);
    return calls.flatMap(({ caller, operation }) => {
      const lambda = lambdas.get(caller);
      return lambda === undefined ? [] : [`${lambda}: ${operation}`];
    });
  };

  test('authorize is one read, then none', async () => {
    const website = stack.websiteWith('credential:omi:devices:get');
    const list = async () => await website.listDevices(newUser());
    expect(callsOf('authorize')).toEqual(['authorize: GetItem']);
    expect(await costOf(200, list)).toEqual([...callsOf('authorize'), ...callsOf('list')]);
    expect(await costOf(200, list)).toEqual(callsOf('list'));
  });

  test('authorize-exports is one read, then none, for a website and for a member of the tenant', async () => {
    const website = stack.websiteWith('omi:exports:get');
    const { idToken } = await signIn(stack.file, 'ines', 'exports');
    for (const token of [await website.accessToken(), idToken]) {
      const headers = { authorization: `Bearer ${token}` };
      const list = async () =>
        await website.call({ method: 'GET', path: '/omi/exports', headers }, v.unknown());
      expect(await costOf(200, list)).toEqual(['authorize-exports: GetItem', 'list-exports: Query']);
      expect(await costOf(200, list)).toEqual(['list-exports: Query']);
    }
  });

  test('list is one read for any number of devices', async () => {
    const userId = newUser();
    for (const name of ['one', 'two', 'three']) await enrolDevice(stack.website, userId, { name });
    // Once before, for the authorizer.
    succeeded(await stack.website.listDevices(userId), 200);
    expect(callsOf('list')).toEqual(['list-devices: Query']);
    expect(await costOf(200, async () => await stack.website.listDevices(userId))).toEqual(callsOf('list'));
  });

  test('send is one read, one transaction and one publish', async () => {
    const device = await enrolDevice(stack.website);
    // Once before, for the authorizer.
    await push(stack.website, await enrolDevice(stack.website));
    expect(callsOf('send')).toEqual([
      'send-to-device: Query',
      'send-to-device: TransactWriteItems',
      'send-to-device: Publish',
    ]);
    expect(await costOf(202, async () => await tryPush(stack.website, device))).toEqual(callsOf('send'));
  });

  test("send to a user's only device is one read, one transaction and one publish", async () => {
    const { identity } = await enrolDevice(stack.website);
    // Once before, for the authorizer.
    const other = await enrolDevice(stack.website);
    succeeded(await stack.website.sendToUser(other.identity.userId, notification()), 202);
    expect(
      await costOf(202, async () => await stack.website.sendToUser(identity.userId, notification())),
    ).toEqual(callsOf('send').map((call) => call.replace('send-to-device', 'send-to-user')));
  });

  test('poll is one read, before and after the answer', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const poll = async () => await stack.website.getConfirmation(sent.nonce);
    // Once before, for the authorizer.
    succeeded(await poll(), 200);
    expect(callsOf('poll')).toEqual(['get-confirmation: GetItem']);
    expect(await costOf(200, poll)).toEqual(callsOf('poll'));
    succeeded(await device.confirm(challenge), 200);
    expect(await costOf(200, poll)).toEqual(callsOf('poll'));
  });

  test('fetch is one read, one write for an open challenge, and one for the time at most every five minutes', async () => {
    const device = await enrolDevice(stack.website);
    const fetchChallenges = async () => await device.challenges();
    // That the device was seen.
    expect(await costOf(200, fetchChallenges)).toEqual([
      'list-challenges: BatchGetItem',
      'list-challenges: UpdateItem',
    ]);
    expect(await costOf(200, fetchChallenges)).toEqual(['list-challenges: BatchGetItem']);
    await push(stack.website, device);
    expect(callsOf('fetch')).toEqual(['list-challenges: BatchGetItem', 'list-challenges: UpdateItem']);
    expect(await costOf(200, fetchChallenges)).toEqual(callsOf('fetch'));
  });

  test.each(['confirm', 'deny'] as const)('answer (%s) is one read and one transaction', async (decision) => {
    const { device, challenge } = await challengedDevice(stack.website);
    expect(callsOf('answer')).toEqual([
      'answer-challenge: BatchGetItem',
      'answer-challenge: TransactWriteItems',
    ]);
    expect(await costOf(200, async () => await device.answer(challenge, { decision }))).toEqual(
      callsOf('answer'),
    );
  });

  test.each([true, false])(
    'answer with a passkey is one read and one transaction, if the passkey counts: %s',
    async (counts) => {
      const { device, authenticator, challenge } = await challengedWithPasskey(stack, { counts });
      const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
      expect(await costOf(200, async () => await device.confirm(challenge, { claims }))).toEqual(
        callsOf('answer'),
      );
    },
  );

  test('a question to both devices of a user is a publish more, and so is its answer', async () => {
    const userId = newUser();
    const [phone, other] = [
      await enrolDevice(stack.website, userId),
      await enrolDevice(stack.website, userId),
    ];
    const ask = async () => await stack.website.sendToUser(userId, notification({ devices: 'all' }));
    // Once before, for the authorizer.
    succeeded(await ask(), 202);
    succeeded(await phone.confirm(await openChallenge(phone)), 200);
    expect(await costOf(202, ask)).toEqual(callsOf('sendToBoth'));
    await openChallenge(other);
    const challenge = await openChallenge(phone);
    expect(await costOf(200, async () => await phone.confirm(challenge))).toEqual(callsOf('answerOfBoth'));
  });

  test('a group is one transaction to ask, and one for each vote', async () => {
    const phones = await repeatedly(3, async () => await enrolDevice(stack.website));
    const [one, two] = phones;
    if (!one || !two) throw new Error('There are no phones');
    // Once before, for the authorizer.
    const other = [await enrolDevice(stack.website), await enrolDevice(stack.website)];
    succeeded(await stack.website.requestGroup(question(other, 2)), 202);
    const asked = await costOf(202, async () => await stack.website.requestGroup(question(phones, 2)));
    // The members are read at the same time.
    expect(asked.toSorted()).toEqual(callsOf('askGroup').toSorted());
    const vote = async (phone: SimulatedDevice) => {
      const challenge = await openChallenge(phone);
      return await costOf(200, async () => await phone.confirm(challenge));
    };
    expect(await vote(one)).toEqual(callsOf('vote'));
    expect(await vote(two)).toEqual(callsOf('decidingVote'));
  });

  test('withdraw is one read and one transaction, and one read when repeated', async () => {
    const device = await enrolDevice(stack.website);
    const withdraw = async () => {
      const { nonce } = await push(stack.website, device);
      return { nonce, cost: await costOf(204, async () => await stack.website.withdraw(nonce)) };
    };
    // Once before, for the authorizer.
    await withdraw();
    const { nonce, cost } = await withdraw();
    expect(cost).toEqual(['withdraw-confirmation: GetItem', 'withdraw-confirmation: TransactWriteItems']);
    expect(await costOf(204, async () => await stack.website.withdraw(nonce))).toEqual([
      'withdraw-confirmation: GetItem',
    ]);
  });

  test('withdrawing everything of a user is one read more, and only that read if nothing is open', async () => {
    const device = await enrolDevice(stack.website);
    const { userId } = await push(stack.website, device);
    const withdraw = async () => await stack.website.withdrawAll(userId);
    expect(await costOf(204, withdraw)).toEqual([
      'withdraw-confirmation: GetItem',
      'withdraw-confirmation: GetItem',
      'withdraw-confirmation: TransactWriteItems',
    ]);
    expect(await costOf(204, withdraw)).toEqual(['withdraw-confirmation: GetItem']);
  });

  test('an enrolment code is one call, and the first device reads no settings and notifies nobody', async () => {
    // Once before, for the authorizer.
    await startEnrolment(stack.website, newUser());
    const start = async () => await stack.website.startEnrolment(newUser());
    expect(await costOf(201, start)).toEqual(['start-enrolment: BatchWriteItem']);
    const { qr } = await startEnrolment(stack.website, newUser());
    expect(await costOf(201, async () => await new SimulatedDevice().enrol(qr))).toEqual([
      'enrol-device: GetItem',
      'enrol-device: GetItem',
      'enrol-device: GetItem',
      'enrol-device: Query',
      'enrol-device: CreatePlatformEndpoint',
      'enrol-device: SetEndpointAttributes',
      'enrol-device: Sign',
      'enrol-device: TransactWriteItems',
    ]);
  });

  test('a preview is five reads, whether its code has a label or not', async () => {
    const preview = async (accountLabel?: string) => {
      const started = await stack.website.startEnrolment(newUser(), undefined, accountLabel);
      const { baseUrl, code } = scan(succeeded(started, 201).qr);
      return await costOf(200, async () => await postPreview(baseUrl, { code }));
    };
    const read = 'preview-enrolment: GetItem';
    for (const label of ['Anna · …4711', undefined])
      expect(await preview(label)).toEqual([read, read, read, read, read]);
  });

  test('an account label is one write, and one transaction more for a user without a record', async () => {
    const [userId, label] = [
      newUser(),
      async () => await stack.website.setAccountLabel(userId, 'Anna · …4711'),
    ];
    // Once before, for the authorizer.
    succeeded(await stack.website.setAccountLabel(newUser(), null), 204);
    const update = 'set-account-label: UpdateItem';
    expect(await costOf(204, label)).toEqual([update, 'set-account-label: TransactWriteItems']);
    expect(await costOf(204, label)).toEqual([update]);
  });

  test('a further device reads the settings once and publishes to each other device', async () => {
    const { website } = await openBank(stack, 'notify');
    const userId = newUser();
    await repeatedly(2, async () => await enrolDevice(website, userId));
    const { qr } = await startEnrolment(website, userId);
    expect(await costOf(201, async () => await new SimulatedDevice().enrol(qr))).toEqual([
      'enrol-device: GetItem',
      'enrol-device: GetItem',
      'enrol-device: GetItem',
      'enrol-device: Query',
      'enrol-device: GetItem',
      'enrol-device: CreatePlatformEndpoint',
      'enrol-device: SetEndpointAttributes',
      'enrol-device: Sign',
      'enrol-device: TransactWriteItems',
      'enrol-device: Publish',
      'enrol-device: Publish',
    ]);
  });

  test('recording events is a count of them and one transaction', async () => {
    const post = async () => {
      const events = [newEvent(stack.file.tenants[0].tenantId), newEvent(stack.file.tenants[0].tenantId)];
      return await postEvents(stack.website, ...events);
    };
    // Once before, for the authorizer.
    succeeded(await post(), 202);
    expect(await costOf(202, post)).toEqual([
      'record-events: UpdateItem',
      'record-events: TransactWriteItems',
    ]);
  });
}
