/** Five calls that a member of staff gets, as they are played in a browser. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { jsonOn } from '../../cli/omi.ts';
import { expectProblem, succeeded } from '../../contract/expectations.ts';
import { enrolDevice, newUser, openChallenge, pushAndDeny, tryPush } from '../../contract/scenario.ts';
import { openShop } from '../../contract/staff/desk.ts';
import { answering, proving, Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import type { Seat } from './seat.ts';

export const members = { Olga: 'Olga (operator)', Sam: 'Sam (support of Demo)' } as const;
export type Member = keyof typeof members;

const numberField = 'What the caller reads out';
const numberIn = (message: string): string => /\d{3} \d{3}/.exec(message)?.[0] ?? '';

/** @param sitsDown a member of staff with a fresh window, or with a tablet */
export function calls(stack: TestStack, sitsDown: (size?: 'tablet') => Promise<Seat>): void {
  let shop: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    shop = await openShop(stack, '--recovery-by', 'one');
  });

  async function signedIn(member: Member, size?: 'tablet'): Promise<Seat> {
    const seat = await sitsDown(size);
    await signIn(seat, stack.file.consoleUrl, member);
    return seat;
  }

  async function finds(seat: Seat, userId: string, tenantId?: string): Promise<void> {
    if (tenantId !== undefined) await seat.chooses('Tenant', tenantId);
    await seat.fills('User id, exactly', userId);
    await seat.clicks('Find the user');
  }

  test('a caller has lost the phone: it is removed, and the website may enrol another once', async () => {
    const lost = await enrolDevice(shop.website, newUser(), { name: 'Lost phone', model: 'Pixel 9' });
    const { userId } = lost.identity;
    const seat = await signedIn('Olga');
    await finds(seat, userId, shop.tenantId);
    await seat.reads('App (pushes by Google), Pixel 9. Enrolled');
    await seat.clicks('Remove the device Lost phone');
    await seat.clicks('Leave it as it is');
    await seat.clicks('Remove the device Lost phone');
    await seat.clicks('Remove the device');
    await seat.reads('The device is removed.');
    expectProblem(await shop.website.startEnrolment(userId), 403, 'recovery-required');
    await seat.clicks('Allow a recovery …');
    await seat.clicks('Allow the recovery');
    await seat.reads('The website can enrol one device for this user.');
    await seat.examines('console-recovery');
    const { qr } = succeeded(await shop.website.startEnrolment(userId), 201);
    succeeded(await new SimulatedDevice().enrol(qr), 201);
    expectProblem(await shop.website.startEnrolment(userId), 403, 'confirmation-required');
  });

  test('a caller is not who they say: the number is wrong, and the owner of the phone says so', async () => {
    const phone = await enrolDevice(stack.website);
    const seat = await signedIn('Sam');
    await finds(seat, phone.identity.userId);
    await seat.clicks('Ask on all devices');
    await seat.waitsForField(numberField);
    const challenge = await openChallenge(phone);
    expect(await seat.html()).not.toContain(numberIn(challenge.message));
    await seat.fills(numberField, '000000');
    await seat.clicks('Compare');
    await seat.reads('That is not the number on the device.');
    await seat.examines('console-caller');
    succeeded(await phone.deny(challenge, 'not_me'), 200);
    await seat.reads('It is not the person on the phone');
    await seat.reads('Whoever has the device says: this was not me.');
  });

  test('a caller is who they say: by keyboard alone, with the number of the phone', async () => {
    const phone = await enrolDevice(stack.website);
    const seat = await signedIn('Sam', 'tablet');
    await seat.tabsTo('User id, exactly');
    await seat.types(phone.identity.userId);
    await seat.presses('Enter');
    await seat.reads('Ask on all devices');
    await seat.tabsTo('Ask on all devices');
    await seat.presses('Enter');
    await seat.waitsForField(numberField);
    const challenge = await openChallenge(phone);
    await seat.tabsTo(numberField);
    await seat.types(numberIn(challenge.message));
    await seat.presses('Enter');
    await seat.reads('The number is right');
    succeeded(await phone.confirm(challenge), 200);
    await seat.reads('It is the person with the device');
  });

  test('a history is suspicious: the page says so, and the user is suspended', async () => {
    const phone = await enrolDevice(stack.website);
    await pushAndDeny(stack.website, phone);
    await pushAndDeny(stack.website, phone, 'not_me');
    const seat = await signedIn('Sam');
    await finds(seat, phone.identity.userId);
    await seat.reads('This looks like an attack');
    await seat.reads('the user says: this was not me');
    await seat.examines('console-suspicious');
    await seat.clicks('Suspend the user …');
    await seat.clicks('Suspend the user');
    await seat.reads('The user is suspended.');
    expectProblem(await tryPush(stack.website, phone), 403, 'user-suspended');
    await seat.clicks('End the suspension');
    await seat.reads('The user is no longer suspended.');
  });

  test("a tenant's export is parked: an operator finds it by its state, and has it tested", async () => {
    const json = jsonOn(stack);
    const receiver = await Receiver.start(proving);
    const name = `Parked bank ${randomUUID().slice(0, 8)}`;
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', name);
    await json('target', 'set', 'webhook', tenantId, 'log', '--url', `${receiver.origin}/${randomUUID()}`);
    await json('target', 'test', tenantId, 'log');
    receiver.behave = answering(403);
    const seat = await signedIn('Olga');
    await seat.clicks('Tenants');
    // That an operator looks is an event of the tenant, which its receiver refuses.
    await seat.clicks(`Show ${name}`);
    await seat.reads('Clients');
    await seat.clicks('Exports');
    const title = `${name}, log events`;
    await until(async () => {
      await seat.clicks('Refused: events wait');
      return await seat.has(title);
    });
    await seat.reads('The tenant must act.');
    await seat.examines('console-exports');
    receiver.behave = proving;
    await seat.clicks(`Test ${title}`);
    await seat.reads('A test was asked for.');
    await until(async () => {
      await seat.clicks('Active');
      return await seat.has(title);
    });
    await receiver.close();
  });
}

export async function signIn(seat: Seat, url: string, member: Member): Promise<void> {
  await seat.opens(url);
  await seat.clicks('Sign in');
  await seat.clicks(members[member]);
  await seat.sees('Help a user');
}
