import { describe, expect, test } from '@jest/globals';
import { eventFaults } from '../../../core/events/validation.ts';
import { bodyOf } from '../../../client/http.ts';
import { timePattern } from '../../contract/expectations.ts';
import {
  enrolDevice,
  newUser,
  poll,
  push,
  pushAndConfirm,
  pushAndDeny,
  startEnrolment,
} from '../../contract/scenario.ts';
import { type Fault, withFault } from '../../../tools/local/client/local-stack.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { newTenant } from './tenants.ts';
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

  test('erases the devices, codes and confirmations of a user, and records it', async () => {
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
      // Whether the last minute is closed already.
      ...{ events: expect.any(Number), open: expect.any(Number) },
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

  test('warns if no target tells the tenant to erase the exported events', async () => {
    const tenantId = await newTenant(stack);
    const warnings = async (tenant: string): Promise<boolean> => {
      const { err } = await omiOn(stack)(['user', 'erase', tenant, newUser(), '--yes']);
      return err.includes('gets the UserErasedEvent');
    };
    expect(await warnings(tenantId)).toBe(true);
    expect(await warnings(stack.file.tenants[0].tenantId)).toBe(false);
    const url = ['--url', 'https://events.example.com/omi'];
    await json('target', 'set', 'webhook', tenantId, 'log', ...url, '--type', 'UserErasedEvent');
    expect(await warnings(tenantId)).toBe(false);
    await json('target', 'set', 'webhook', tenantId, 'log', ...url, '--type', 'UserSignedInEvent');
    expect(await warnings(tenantId)).toBe(true);
  });

  test('records an interrupted erasure once, when it is repeated', async () => {
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

  test('leaves other users and equal user ids of other tenants', async () => {
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

  describe('limits of a user', () => {
    type Limits = {
      userId: string;
      reset?: boolean;
      limits: { limit: string; deviceId?: string; counted: number; allowed: number; reachedUntil?: string }[];
    };
    const limitsOf = async (userId: string, ...more: string[]): Promise<Limits> =>
      await json('user', 'limits', stack.file.tenants[0].tenantId, userId, ...more);
    const resets = async (userId: string): Promise<StoredEvent[]> =>
      (await eventsIn(stack, `log#${stack.file.tenants[0].tenantId}#${userId}`)).filter(
        ({ metadata }) => metadata['type'] === 'UserLimitsResetEvent',
      );
    const untilOf = ({ limits }: Limits, name: string): number =>
      Date.parse(limits.find(({ limit }) => limit === name)?.reachedUntil ?? '');

    test('say which one is reached, and until when', async () => {
      const device = await enrolDevice(stack.website);
      const { userId } = device.identity;
      for (let times = 0; times < 10; times += 1) {
        const { nonce } = await push(stack.website, device);
        bodyOf(await stack.website.withdraw(nonce));
      }
      const shown = await limitsOf(userId);
      expect(shown.limits).toContainEqual({
        ...{ limit: 'withdrawnPerHour', counted: 10, allowed: 10 },
        reachedUntil: expect.stringMatching(timePattern),
      });
      expect(untilOf(shown, 'withdrawnPerHour')).toBeLessThanOrEqual(Date.now() + 3_600_000);
      expect(shown.limits.filter(({ reachedUntil }) => reachedUntil !== undefined)).toHaveLength(1);
      const { out } = await omiOn(stack)(['user', 'limits', stack.file.tenants[0].tenantId, userId]);
      expect(out).toMatch(/withdrawnPerHour +all +10 +10 +\d{4}-/);
      expect(out).toMatch(/perDay +all +0 +20 +not reached/);
    });

    test('are cleared by --reset, once and with an event, and then the user can be asked', async () => {
      const device = await enrolDevice(stack.website);
      const { userId } = device.identity;
      await pushAndDeny(stack.website, device, 'not_me');
      expect(untilOf(await limitsOf(userId), 'notMe')).toBeGreaterThan(Date.now());
      const after = await limitsOf(userId, '--reset');
      expect(after.reset).toBe(true);
      expect(after.limits.map(({ counted }) => counted)).toEqual([0, 0, 0, 0, 0, 0]);
      await push(stack.website, device);
      const [event, ...others] = await resets(userId);
      expect(others).toEqual([]);
      expect(event?.metadata).toMatchObject({ agent: userId, category: 'log', tags: ['LIFECYCLE'] });
      expect(event?.payload).toEqual({ userId });
      expect([...eventFaults(event, '')]).toEqual([]);
    });
  });

  test('erases nothing before the operator confirms', async () => {
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
