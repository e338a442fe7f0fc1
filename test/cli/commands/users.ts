import { expect, test } from '@jest/globals';
import { eventFaults } from '../../../core/events/validation.ts';
import { enrolDevice, newUser, poll, push, pushAndConfirm, startEnrolment } from '../../contract/scenario.ts';
import { type Fault, withFault } from '../../../local/client/local-stack.ts';
import { localTables } from '../../../local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { eventsIn, type StoredEvent } from './tables.ts';

export function users(stack: TestStack): void {
  const json = jsonOn(stack);
  const erase = (userId: string): string[] => [
    ...['user', 'erase', '--tenant', stack.file.tenants[0].tenantId, '--user', userId, '--yes'],
  ];
  const erasedEvents = async (userId: string): Promise<StoredEvent[]> =>
    (await eventsIn(stack, `log#${stack.file.tenants[0].tenantId}#${userId}`)).filter(
      ({ metadata }) => metadata['type'] === 'UserErasedEvent',
    );

  test('nothing of an erased user is left: devices, codes, confirmations; and it is recorded', async () => {
    const userId = newUser();
    const [first, second] = [
      await enrolDevice(stack.website, userId),
      await enrolDevice(stack.website, userId),
    ];
    const confirmed = await pushAndConfirm(stack.website, first);
    const open = await push(stack.website, second);
    const { enrolmentId } = await startEnrolment(stack.website, userId);
    await expect(json(...erase(userId))).resolves.toEqual({
      ...{ userId, devices: 2, enrolments: 3, confirmations: 2, recorded: true },
    });
    expect((await stack.website.listDevices(userId)).body).toEqual({ devices: [] });
    for (const { nonce } of [confirmed, open])
      expect((await stack.website.getConfirmation(nonce)).status).toBe(404);
    expect((await stack.website.getEnrolment(enrolmentId)).status).toBe(404);
    for (const { identity } of [first, second]) {
      const events = await eventsIn(stack, `${stack.file.tenants[0].tenantId}#${identity.deviceId}`);
      expect(events.at(-1)?.metadata['type']).toBe('UserDeviceDeregisteredEvent');
    }
  });

  test('the event says who was erased and how much, and fits the schema of log events', async () => {
    const userId = newUser();
    await enrolDevice(stack.website, userId);
    await json(...erase(userId));
    const events = await erasedEvents(userId);
    expect(events).toHaveLength(1);
    expect(events[0]?.metadata).toMatchObject({ agent: userId, category: 'log', tags: ['PRIVACY'] });
    expect(events[0]?.payload).toEqual({ userId, devices: 1, enrolments: 1, confirmations: 0 });
    expect([...eventFaults(events[0], '')]).toEqual([]);
  });

  test('again, and for a user who never was, it says so and records nothing', async () => {
    const userId = newUser();
    await enrolDevice(stack.website, userId);
    await json(...erase(userId));
    for (const unknown of [userId, newUser()]) {
      const { code, out, err } = await omiOn(stack)(erase(unknown));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`nothing of the user ${unknown}`);
    }
    await expect(erasedEvents(userId)).resolves.toHaveLength(1);
  });

  test('one without devices whose erasure breaks off is recorded by the next, once', async () => {
    const userId = newUser();
    await startEnrolment(stack.website, userId);
    const refused: Fault = {
      ...{ service: 'dynamodb', operation: 'Scan', resource: localTables.confirmations },
      fault: 'access-denied',
    };
    const broken = await withFault(stack.file, refused, async () => await omiOn(stack)(erase(userId)));
    expect(broken).toMatchObject({ code: 1, out: '' });
    await expect(erasedEvents(userId)).resolves.toEqual([]);
    await expect(json(...erase(userId))).resolves.toMatchObject({ enrolments: 0, recorded: true });
    expect(await omiOn(stack)(erase(userId))).toMatchObject({ code: 1 });
    await expect(erasedEvents(userId)).resolves.toHaveLength(1);
  });

  test('other users, and those of the same name elsewhere, stay as they are', async () => {
    const userId = newUser();
    const theirs = await enrolDevice(stack.website, `${userId}-2`);
    const elsewhere = await enrolDevice(stack.neighbour, userId);
    const [here, there] = [
      await pushAndConfirm(stack.website, theirs),
      await pushAndConfirm(stack.neighbour, elsewhere),
    ];
    await enrolDevice(stack.website, userId);
    await json(...erase(userId));
    expect((await poll(stack.website, here.nonce)).status).toBe('confirmed');
    expect((await poll(stack.neighbour, there.nonce)).status).toBe('confirmed');
    expect((await stack.neighbour.listDevices(userId)).body).toMatchObject({
      devices: [{ deviceId: elsewhere.identity.deviceId }],
    });
  });

  test('nothing is erased before somebody has said yes', async () => {
    const userId = newUser();
    await enrolDevice(stack.website, userId);
    const command = erase(userId).slice(0, -1);
    expect(await omiOn(stack)(command)).toMatchObject({ code: 2, out: '' });
    expect(await omiOn(stack)(command, { answer: '' })).toMatchObject({ code: 1, out: '' });
    const interrupted = await omiOn(stack)(command, { interrupt: true });
    expect(interrupted).toMatchObject({ code: 1, out: '', err: 'error: Nothing was done.\n' });
    expect((await stack.website.listDevices(userId)).body).toMatchObject({ devices: [{}] });
  });
}
