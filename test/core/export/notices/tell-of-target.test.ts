/** When somebody is told of a target, how often, and what happens if that fails or is done twice. */
import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { LaneWatermarks } from '../../../../core/export/delivery/lane-watermark-store.ts';
import { acknowledgementOf } from '../../../../core/export/notices/acknowledgement.ts';
import { describeTarget } from '../../../../core/events/target-ref.ts';
import { AilingTargets } from '../../../../core/export/notices/ailing-target-store.ts';
import { ContactStore } from '../../../../core/export/notices/contact-store.ts';
import { lookAtAiling } from '../../../../core/export/notices/look-at-ailing.ts';
import type { Mail } from '../../../../core/export/notices/notice.ts';
import { NoticeStore } from '../../../../core/export/notices/notice-store.ts';
import { tellOfTarget, type TellDeps } from '../../../../core/export/notices/tell-of-target.ts';
import { target as schema, type Target } from '../../../../core/export/targets/target.ts';
import { TargetReadiness } from '../../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import { ReceiverCaller } from '../../../../core/outbound/call-receiver.ts';
import { logger } from '../../../../core/kernel/observability.ts';
import { hours, minutes } from '../../../../core/kernel/time.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const start = Date.UTC(2026, 10, 1);
let database: DynamoDBDocumentClient;
let tenantId: string;
let mails: Mail[];
let onBus: string[];
/** What the last notice on the bus says. */
let data: object;
/** What the next sends of mails do. */
let failures: Error[];
jest.spyOn(logger, 'info').mockReturnValue();
jest.spyOn(logger, 'warn').mockReturnValue();

beforeAll(async () => {
  database = await testDatabase({ tenants: 'tenants' });
});
beforeEach(async () => {
  tenantId = randomUUID();
  [mails, onBus, failures] = [[], [], []];
  await new ContactStore(database, 'tenants').put(tenantId, { kind: 'mail', address: 'a@bank.example' });
});

const deps = (): TellDeps => ({
  notices: new NoticeStore(database, 'tenants'),
  contacts: new ContactStore(database, 'tenants'),
  nameOf: async () => await Promise.resolve('Example Bank'),
  page: 'https://exports.example.com',
  patienceMs: 0,
  bus: {
    put: async (type, detail) => {
      const its = detail as { type: string; data: object };
      onBus.push(`${type} ${its.type}`);
      data = its.data;
      await Promise.resolve();
    },
  },
  mail: {
    send: async (_, mail) => {
      const failure = failures.shift();
      if (failure) throw failure;
      mails.push(mail);
      await Promise.resolve();
    },
  },
  caller: new ReceiverCaller(true),
  secrets: { open: async () => await Promise.resolve('whsec_c2VjcmV0') },
});

const well: Omit<Target, 'tenantId'> = v.parse(v.omit(schema, ['tenantId']), {
  category: 'public',
  destination: { kind: 'webhook', url: 'https://events.example.com/omi', lanes: 2, format: 'cloudevents' },
  state: 'active',
  stateSince: start,
  parkedThrough: {},
  drainedThrough: {},
  waitingSince: {},
});

const troubled = (changes: Partial<Target> = {}): Target => ({
  ...well,
  tenantId,
  state: 'parked',
  fault: { actor: 'tenant', code: 'Webhook.Http401', reason: 'The tenant must do something.' },
  ...changes,
});

const tell = async (target: Target | undefined, at: number): Promise<void> => {
  await tellOfTarget(deps(), { tenantId, category: target?.category ?? 'public' }, target, at);
};

const subjects = () =>
  mails.map(({ subject }) => subject.replace('The export of public events of Example Bank ', ''));

describe('troubles of a target', () => {
  test('a trouble is told once at its start, once at its end, and once a day between', async () => {
    await tell(troubled(), start);
    await tell(troubled(), start + 1);
    await tell(troubled(), start + 23.9 * hours);
    expect(subjects()).toEqual(['needs you']);
    await tell(troubled(), start + 24 * hours);
    await tell(troubled(), start + 25 * hours);
    expect(subjects()).toEqual(['needs you', 'still needs you']);
    await tell({ ...well, tenantId }, start + 26 * hours);
    await tell({ ...well, tenantId }, start + 27 * hours);
    expect(subjects()).toEqual(['needs you', 'still needs you', 'no longer needs you']);
    expect(onBus).toEqual([
      'ExportTroubleNotice export.trouble',
      'ExportTroubleNotice export.reminder',
      'ExportTroubleNotice export.recovered',
    ]);
  });

  const patiently = async (target: Target, at: number): Promise<void> => {
    await tellOfTarget({ ...deps(), patienceMs: 5 * minutes }, target, target, at);
  };

  test('a trouble is told when it has lasted 5 minutes, and never if it ends before', async () => {
    await patiently(troubled(), start);
    await patiently(troubled(), start + 4.9 * minutes);
    await patiently({ ...well, tenantId }, start + 4.95 * minutes);
    await patiently(troubled(), start + 5 * minutes);
    await patiently(troubled(), start + 9.9 * minutes);
    expect(onBus).toEqual([]);
    await patiently(troubled(), start + 10 * minutes);
    expect(subjects()).toEqual(['needs you']);
  });

  test('a fault that should have passed by itself has lasted as long as events have waited', async () => {
    const fault = { actor: 'tenant', lastingActor: 'tenant', code: 'x', reason: 'x' } as const;
    const lasting = troubled({ fault, parkedThrough: { lane: '1' }, waitingSince: { lane: start } });
    await patiently(lasting, start + 15 * minutes);
    expect(subjects()).toEqual(['needs you']);
  });

  test('a trouble of a stream of signals is told as that of an export, by its name', async () => {
    const streamId = '0193ab52-7a10-4c1e-8f3d-2b6a9c0e4d71';
    const url = 'https://receiver.example.com/events';
    const destination = { kind: 'signals', streamId, audience: 'receiver', url, lanes: 2 } as const;
    const stream = troubled({ category: `signals.${streamId}`, destination });
    await tell(stream, start);
    await tell({ ...stream, state: 'active', fault: undefined }, start + hours);
    expect(subjects()).toEqual(
      ['needs you', 'no longer needs you'].map(
        (what) => `The stream of signals ${streamId} of Example Bank ${what}`,
      ),
    );
    expect(mails[0]?.text).toContain(`signals ${streamId} ${url}`);
  });

  test('a trouble that comes and goes is told four times in 24 hours at most, whatever was told of other targets', async () => {
    for (let round = 0; round < 5; round += 1) {
      await tell(troubled(), start + round * minutes);
      await tell({ ...well, tenantId }, start + round * minutes + 1);
    }
    expect(mails).toHaveLength(4);
    await tell(troubled({ category: 'log' }), start + hours);
    expect(mails).toHaveLength(5);
    await tell(troubled(), start + 23 * hours);
    expect(mails).toHaveLength(5);
    // The first notices are a day old now: what nobody was told of is told.
    await tell(troubled(), start + 24 * hours + minutes);
    expect(mails).toHaveLength(6);
  });

  test('no tenant is told of a pause, of a trouble of the operator, or of one that passes by itself', async () => {
    const passing = troubled({ state: 'degraded', fault: { actor: 'nobody', code: 'x', reason: 'x' } });
    const ofOperator = troubled({ fault: { actor: 'operator', code: 'x', reason: 'x' } });
    for (const target of [passing, ofOperator, troubled({ state: 'paused', pausedBy: 'tenant' })])
      await tell(target, start);
    expect(mails).toEqual([]);
  });

  test('a trouble of a paused target neither goes on nor ends', async () => {
    await tell(troubled(), start);
    await tell(troubled({ state: 'paused' }), start + 25 * hours);
    expect(subjects()).toEqual(['needs you']);
    await tell({ ...well, tenantId }, start + 26 * hours);
    expect(subjects()).toEqual(['needs you', 'no longer needs you']);
  });

  test('the trouble of a target that was removed ends without a notice', async () => {
    await tell(troubled(), start);
    await tell(troubled({ destination: { kind: 'none' }, state: 'active' }), start + 1);
    await tell(undefined, start + 2);
    expect(subjects()).toEqual(['needs you']);
    await tell(troubled(), start + 3);
    expect(subjects()).toEqual(['needs you', 'needs you']);
  });

  test('a trouble says what to do, to whom it is, and where its page is', async () => {
    await tell(troubled(), start);
    expect(mails[0]?.text).toContain('What to do:   The tenant must do something.');
    expect(mails[0]?.text).toContain('Destination:  webhook https://events.example.com/omi');
    expect(mails[0]?.text).toContain('Page:         https://exports.example.com');
    expect(data).toMatchObject({ waiting: 0, page: 'https://exports.example.com' });
    expect(data).not.toHaveProperty('oldestWaitingAt');
  });

  test('a notice of a stage without a page names none', async () => {
    await tellOfTarget({ ...deps(), page: undefined }, troubled(), troubled(), start);
    expect(mails[0]?.text).not.toContain('Page:');
    expect(data).not.toHaveProperty('page');
  });
});

describe('notices to contacts', () => {
  test('a notice is sent once if several find it due at the same time', async () => {
    const target = troubled();
    await Promise.all(
      Array.from({ length: 5 }, async () => await tellOfTarget(deps(), target, target, start)),
    );
    expect(subjects()).toEqual(['needs you']);
  });

  test('a notice that failed is sent again, less often each time, until it has arrived', async () => {
    failures = [new Error('a'), new Error('b')];
    await tell(troubled(), start);
    await tell(troubled(), start + 4.9 * minutes);
    expect(failures).toHaveLength(1);
    await tell(troubled(), start + 5 * minutes);
    expect(failures).toHaveLength(0);
    const { targets } = await new NoticeStore(database, 'tenants').find(tenantId);
    expect(targets.public?.pending?.fault).toBe('AWS did not take the notice (Error).');
    await tell(troubled(), start + 14.9 * minutes);
    expect(mails).toEqual([]);
    await tell(troubled(), start + 15 * minutes);
    await tell(troubled(), start + 60 * minutes);
    expect(subjects()).toEqual(['needs you']);
  });

  test('a notice that fails for an hour is given up, and its record says why; the reminder is another one', async () => {
    failures = Array.from({ length: 5 }, () => new Error('a'));
    for (let minute = 0; minute <= 120; minute += 1) await tell(troubled(), start + minute * minutes);
    expect([failures, mails]).toEqual([[], []]);
    const { targets } = await new NoticeStore(database, 'tenants').find(tenantId);
    expect(targets.public?.pending).toMatchObject({
      tries: 5,
      fault: 'AWS did not take the notice (Error).',
    });
    await tell(troubled(), start + 24 * hours);
    expect(subjects()).toEqual(['still needs you']);
  });

  test('a notice whose sender died is sent by the next that looks, a minute later', async () => {
    const dying = { ...deps(), nameOf: async () => await Promise.reject<string>(new Error('killed')) };
    await expect(tellOfTarget(dying, troubled(), troubled(), start)).rejects.toThrow('killed');
    await tell(troubled(), start + 0.9 * minutes);
    expect(mails).toEqual([]);
    await tell(troubled(), start + 1 * minutes);
    expect(subjects()).toEqual(['needs you']);
  });

  test('a notice that has not arrived is replaced by that of the end', async () => {
    failures = [new Error('a')];
    await tell(troubled(), start);
    await tell({ ...well, tenantId }, start + 1);
    await tell({ ...well, tenantId }, start + 1 * hours);
    expect(subjects()).toEqual(['no longer needs you']);
  });

  test('goes to the bus alone if the tenant has no contact', async () => {
    await new ContactStore(database, 'tenants').remove(tenantId);
    await tell(troubled(), start);
    expect([mails, onBus]).toEqual([[], ['ExportTroubleNotice export.trouble']]);
  });

  test('waits while the stage sends no mail, and its record says why', async () => {
    await tellOfTarget({ ...deps(), mail: undefined }, troubled(), troubled(), start);
    const { targets } = await new NoticeStore(database, 'tenants').find(tenantId);
    expect(targets.public?.pending?.fault).toContain('notices.mailFrom is missing');
  });
});

describe('the clock', () => {
  const look = async (at: number): Promise<number> => {
    const more = { targets: new TargetStore(database, 'tenants'), ailing: ailing() };
    return await lookAtAiling(
      { ...deps(), notices: new NoticeStore(database, 'tenants'), ...more },
      () => at,
    );
  };
  const ailing = () => new AilingTargets(database, 'tenants');
  const listed = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const page of ailing().pages()) found.push(...page.filter((one) => one.tenantId === tenantId));
    return found;
  };
  const register = async (): Promise<void> => {
    const { destination } = well;
    await new TargetStore(database, 'tenants').register({ tenantId, category: 'public' }, destination, start);
  };
  const fail = async (): Promise<void> => {
    const seen = await new TargetStore(database, 'tenants').find({ tenantId, category: 'public' });
    if (!seen) throw new Error('no target');
    await new TargetStore(database, 'tenants').transition({ ...seen }, 'retry', start, {
      fault: { actor: 'tenant', code: 'x', reason: 'x' },
    });
  };

  test('tells of a day that has passed, and forgets a target that is well or gone', async () => {
    await register();
    await fail();
    await ailing().add({ tenantId, category: 'public' }, start);
    await look(start);
    await look(start + 24 * hours);
    expect(subjects()).toEqual(['needs you', 'still needs you']);
    expect(await listed()).toHaveLength(1);
    await new TargetStore(database, 'tenants').register(
      { tenantId, category: 'public' },
      { kind: 'none' },
      start,
    );
    await look(start + 25 * hours);
    expect(await listed()).toEqual([]);
    expect(mails).toHaveLength(2);
  });

  test('forgets a target that is well, if the notice of it was given up', async () => {
    const notices = new NoticeStore(database, 'tenants');
    const pending = { id: randomUUID(), phase: 'ended', claimedAt: start, tries: 5, fault: 'x' } as const;
    await notices.change(tenantId, () => ({ targets: { public: { pending } } }));
    const ref = { tenantId, category: 'public' } as const;
    await ailing().add(ref, start);
    const loaded = {
      targets: new Map([[describeTarget(ref), { ...well, tenantId }]]),
      malformed: new Set<string>(),
    };
    const targets = {
      load: async () => await Promise.resolve(loaded),
      transition: async () => await Promise.resolve(false),
    };
    await lookAtAiling({ ...deps(), notices, targets, ailing: ailing() }, () => start + 2 * hours);
    expect(await listed()).toEqual([]);
  });

  test('parks a target whose fault should have passed by itself, and leaves its tenant to the change', async () => {
    const ref = { tenantId, category: 'public' } as const;
    const targets = new TargetStore(database, 'tenants');
    const current = async (): Promise<Target> => {
      const target = await targets.find(ref);
      if (!target) throw new Error('no target');
      return target;
    };
    await register();
    await new TargetReadiness(database, 'tenants').verified(await current(), start);
    const fault = { actor: 'nobody', lastingActor: 'tenant', code: 'x', reason: 'It fails.' } as const;
    await targets.transition(await current(), 'degrade', start, { fault });
    const counts = { accepted: 1, delivered: 0, parked: 1 };
    const parked = { positions: new Map([['lane', '1']]), counts, since: start };
    await new LaneWatermarks(database, 'tenants').parked(await current(), parked);
    await ailing().add(ref, start);
    await look(start + 14.9 * minutes);
    expect(await current()).toMatchObject({ state: 'degraded', fault });
    await look(start + 15 * minutes);
    const reason = 'It fails. Events have waited for 15 minutes or more.';
    expect(await current()).toMatchObject({ state: 'parked', fault: { actor: 'tenant', code: 'x', reason } });
    expect(mails).toEqual([]);
    await look(start + 16 * minutes);
    expect(mails[0]?.text).toContain(reason);
    await targets.register(ref, { kind: 'none' }, start + 17 * minutes);
    await look(start + 17 * minutes);
    expect(await listed()).toEqual([]);
  });

  test('counts a target whose events wait for an hour, but for the time in which an operator knows of it', async () => {
    const ref = { tenantId, category: 'public' } as const;
    const targets = new TargetStore(database, 'tenants');
    const watermarks = new LaneWatermarks(database, 'tenants');
    await register();
    const target = await targets.find(ref);
    if (!target) throw new Error('no target');
    const counts = { accepted: 1, delivered: 0, parked: 1 };
    await watermarks.parked(target, { positions: new Map([['lane', '1']]), counts, since: start });
    const acknowledge = async (until: number): Promise<boolean> => {
      const now = await targets.find(ref);
      if (!now) throw new Error('no target');
      return await ailing().acknowledge(ref, acknowledgementOf(now, { by: 'anna', until }, start));
    };
    expect(await acknowledge(start + 3 * hours)).toBe(false);
    await ailing().add(ref, start);
    expect(await look(start + hours)).toBe(0);
    expect(await look(start + hours + 1)).toBe(1);
    expect(await acknowledge(start + 3 * hours)).toBe(true);
    expect(await look(start + 2 * hours)).toBe(0);
    expect(await look(start + 3 * hours)).toBe(1);
    await acknowledge(start + 5 * hours);
    await ailing().add(ref, start + 4 * hours);
    expect(await look(start + 4 * hours)).toBe(1);
    await acknowledge(start + 5 * hours);
    expect(await look(start + 4 * hours)).toBe(0);
    await new TargetReadiness(database, 'tenants').verified(target, start + 4 * hours);
    expect(await look(start + 4 * hours)).toBe(1);
  });

  test('keeps an entry that was added again while it looked', async () => {
    const [entry] = [{ tenantId, category: 'public' as const, addedAt: start }];
    await ailing().add(entry, start);
    await ailing().add(entry, start + 1);
    await ailing().remove(entry);
    expect(await listed()).toHaveLength(1);
  });

  test('goes on after a target of which it could not tell', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue();
    await register();
    await fail();
    await ailing().add({ tenantId, category: 'public' }, start);
    const broken = {
      ...deps(),
      notices: {
        change: async () => await Promise.reject(new Error('x')),
        find: async () => await Promise.reject(new Error('x')),
      },
    };
    await lookAtAiling(
      { ...broken, targets: new TargetStore(database, 'tenants'), ailing: ailing() },
      () => start,
    );
    expect(error).toHaveBeenCalledWith('target not looked at', expect.objectContaining({ tenantId }));
    expect(await listed()).toHaveLength(1);
  });
});
