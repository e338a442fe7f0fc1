import { randomUUID } from 'node:crypto';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import type { TestStack } from '../../support/stack.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import { createdEvent, logEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { succeeded } from '../expectations.ts';
import { objectsOf, recordsOf } from '../export/consumer.ts';
import { isActive } from '../export-faults/is-active.ts';
import { Register } from '../export/register.ts';
import { exportOf } from '../export/scenarios.ts';
import { TenantAccount } from '../export/targets.ts';
import { beginReplay, parkUnreadable, putUnreadableItem, recordEvents } from './export-operator.ts';

const minutes = 60_000;

/** A target of a tenant of its own. */
export async function newStreamTarget({
  file,
}: Pick<TestStack, 'file'>): Promise<{ ref: TargetRef; destination: StreamDestination; streamName: string }> {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const destination = await new TenantAccount(file).makeStream({ shards: 1 });
  await new Register(file).activate(ref, destination);
  return { ref, destination, streamName: destination.streamArn.split('/')[1] ?? '' };
}

/** About: what comes again counts again. */
export const waiting =
  (count: number) =>
  ({ parkedCount, replayWaitingCount = 0 }: Target): boolean =>
    parkedCount + replayWaitingCount >= count;

/** Whether it has taken so many events, and nothing waits for it. */
export const taken =
  (count: number) =>
  (target: Target): boolean =>
    isActive(target) &&
    target.deliveredCount + (target.replayedCount ?? 0) >= count &&
    target.parkedCount === 0;

async function exported({ file, website }: TestStack): Promise<void> {
  const [{ tenantId }] = file.tenants;
  const created = [createdEvent(tenantId)];
  const logged = [logEvent(tenantId, { attempt: 1 })];
  succeeded(await record(website, [...created, ...logged]), 202);
  await Promise.all([
    recordsOf(file, exportOf(file, 0, 'public').streamName, created),
    objectsOf(file, exportOf(file, 0, 'log').bucket, logged),
  ]);
}

/** What a stream does not take waits, is tried in vain, and follows. */
async function parked(stack: TestStack): Promise<void> {
  const register = new Register(stack.file);
  const { ref, streamName } = await newStreamTarget(stack);
  const fault = { service: 'kinesis', fault: 'throttle', resource: streamName } as const;
  await withFault(stack.file, fault, async () => {
    await recordEvents(stack, ref);
    await register.becomes(ref, 'waiting', waiting(1));
    await untilCalled(stack, 'redeliver-events', 'ChangeMessageVisibilityBatch');
  });
  await register.becomes(ref, 'drained', taken(1));
}

/** What was delivered slowly from the queue asks for a look in a while. */
async function slow(stack: TestStack): Promise<void> {
  const register = new Register(stack.file);
  const { ref, streamName } = await newStreamTarget(stack);
  const fault = { service: 'kinesis', fault: 'slow', delayMs: 1_500, resource: streamName } as const;
  await withFault(stack.file, fault, async () => {
    await recordEvents(stack, ref);
    await register.reaches(ref, 'degraded');
    await recordEvents(stack, ref);
    await untilCalled(stack, 'redeliver-events', 'SendMessage', localQueues.parking);
  });
}

async function unreadable(stack: TestStack): Promise<void> {
  await Promise.all([putUnreadableItem(stack), parkUnreadable(stack)]);
  await untilCalled(stack, 'export-events', 'SendMessage');
  await untilCalled(stack, 'redeliver-events', 'SendMessage');
}

/** More events than a portion of the replay has. */
const replay = { count: 4, portion: 3 };

/** The replay sends a second portion, which finds the first one still waiting, and is held. */
async function replayed(stack: TestStack): Promise<void> {
  const register = new Register(stack.file);
  const { ref, streamName } = await newStreamTarget(stack);
  const [from, to] = [Date.now() - 180 * minutes, Date.now() - minutes];
  for (let event = 0; event < replay.count; event += 1)
    await recordEvents(stack, ref, { acceptedAt: from + minutes });
  await register.becomes(ref, 'taken', taken(replay.count));
  const fault = { service: 'kinesis', fault: 'throttle', resource: streamName } as const;
  await withFault(stack.file, fault, async () => {
    await beginReplay(stack, ref, { from, to, portion: replay.portion });
    await register.becomes(ref, 'waiting', ({ replayWaitingCount = 0 }) => replayWaitingCount > 0);
    await untilCalled(stack, 'replay-events', 'SendMessage');
    await untilCalled(stack, 'replay-events', 'ChangeMessageVisibilityBatch');
  });
  await register.becomes(ref, 'drained', ({ replayedCount }) => replayedCount === replay.count);
}

/** Firehose reports that a bucket is gone, and later that it wrote what it had. */
async function bucketGone(stack: TestStack): Promise<void> {
  const register = new Register(stack.file);
  const account = new TenantAccount(stack.file);
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const destination = await account.makeBucket(ref);
  await register.activate(ref, destination);
  await account.deleteBucket(destination);
  await recordEvents(stack, ref);
  await register.becomes(ref, 'in trouble', ({ bucketTrouble }) => bucketTrouble !== undefined);
  await untilCalled(stack, 'report-delivery-errors', 'SendMessage', localQueues.verifications);
  await account.makeBucket(ref, { account: account.account, bucket: destination.bucket });
  await register.becomes(ref, 'out of trouble', ({ bucketTrouble }) => bucketTrouble === undefined);
  await untilCalled(stack, 'watch-buckets', 'SendMessage', localQueues.verifications);
  await untilCalled(stack, 'watch-buckets', 'DeleteItem');
  // Of all buckets, by its first call.
  await untilCalled(stack, 'watch-buckets', 'Scan');
}

/** What comes out of the service, on good days and on bad ones. */
export const exportPaths = [exported, parked, slow, unreadable, replayed, bucketGone];
