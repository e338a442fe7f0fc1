import { randomUUID } from 'node:crypto';
import { LaneWatermarks } from '../../../core/export/delivery/lane-watermark-store.ts';
import { AilingTargets } from '../../../core/export/notices/ailing-target-store.ts';
import { NoticeStore } from '../../../core/export/notices/notice-store.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { minutes } from '../../../core/kernel/time.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { dynamodbOf } from '../../cli/commands/tables.ts';
import { newTenant } from '../../cli/commands/tenants.ts';
import { jsonOn } from '../../cli/omi.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import { answering, proving, Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { recordEvents } from './export-operator.ts';

type Trouble = { ref: TargetRef; receiver: Receiver; contact: Receiver };

/** A trouble of which a webhook is told, after tests of a mail and of the webhook. */
async function inTrouble(stack: TestStack): Promise<Trouble> {
  const [receiver, contact] = [await Receiver.start(proving), await Receiver.start(answering(204))];
  const json = jsonOn(stack);
  const ref: TargetRef = { tenantId: await newTenant(stack), category: 'public' };
  const url = `${receiver.origin}/${randomUUID()}`;
  for (const place of ['events@bank.example', `${contact.origin}/notices`]) {
    await json('tenant', 'set', ref.tenantId, '--contact', place);
    await json('tenant', 'contact-test', ref.tenantId);
  }
  contact.calls.length = 0;
  await json('target', 'set', 'webhook', ref.tenantId, ref.category, '--url', url);
  await json('target', 'test', ref.tenantId, ref.category);
  receiver.behave = answering(401);
  await recordEvents(stack, ref);
  await until(() => contact.calls.length > 0);
  return { ref, receiver, contact };
}

/** A webhook is told of a trouble, and its end is mailed. */
async function ended(stack: TestStack): Promise<TargetRef> {
  const { ref, receiver, contact } = await inTrouble(stack);
  const notices = new NoticeStore(dynamodbOf(stack), localTables.tenants);
  await jsonOn(stack)('tenant', 'set', ref.tenantId, '--contact', 'events@bank.example');
  receiver.behave = proving;
  await new Register(stack.file).reaches(ref, 'active');
  await until(async () => (await notices.find(ref.tenantId)).targets.public?.lastNoticeAt === undefined);
  await Promise.all([receiver.close(), contact.close()]);
  return ref;
}

async function told(stack: TestStack): Promise<void> {
  const ref = await ended(stack);
  await remind(stack, ref);
  await lasting(stack, ref);
}

/** A fault that should have passed long ago: the clock parks the target. */
async function lasting(stack: TestStack, ref: TargetRef): Promise<void> {
  const [database, register] = [dynamodbOf(stack), new Register(stack.file)];
  const since = Date.now() - 16 * minutes;
  const counts = { accepted: 1, delivered: 0, parked: 1 };
  const parked = { positions: new Map([['lane', '1']]), counts, since };
  await new LaneWatermarks(database, localTables.tenants).parked(await register.find(ref), parked);
  const fault = { actor: 'nobody', lastingActor: 'tenant', code: 'x', reason: 'It fails.' } as const;
  const targets = new TargetStore(database, localTables.tenants);
  await targets.transition(await register.find(ref), 'degrade', since, { fault });
  await untilCalled(stack, 'remind-of-exports', 'UpdateItem');
}

/** Notices that had not arrived: the clock sends them, and forgets the target. */
async function remind(stack: TestStack, ref: TargetRef): Promise<void> {
  const contact = await Receiver.start(answering(204));
  const notices = new NoticeStore(dynamodbOf(stack), localTables.tenants);
  const ailing = new AilingTargets(dynamodbOf(stack), localTables.tenants);
  for (const place of [`${contact.origin}/notices`, 'events@bank.example']) {
    await jsonOn(stack)('tenant', 'set', ref.tenantId, '--contact', place);
    const pending = { id: randomUUID(), phase: 'ended', claimedAt: 1, nextAt: 1, tries: 1 } as const;
    await notices.change(ref.tenantId, () => ({ targets: { public: { pending } } }));
    await ailing.add(ref, Date.now());
    await until(async () => (await notices.find(ref.tenantId)).targets.public?.pending === undefined);
  }
  await untilCalled(stack, 'remind-of-exports', 'SendEmail');
  await untilCalled(stack, 'remind-of-exports', 'Decrypt');
  await untilCalled(stack, 'remind-of-exports', 'DeleteItem');
  await contact.close();
}

export const noticePaths = [told];
