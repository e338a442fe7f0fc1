import { beforeAll, expect, test } from '@jest/globals';
import { callsOf } from '../../../bench/cost/round-trips.ts';
import type { StreamDestination, TargetRef, Transition } from '../../../core/domain/target.ts';
import type { LambdaName } from '../../../lambdas/environments.ts';
import type { TestStack } from '../../support/stack.ts';
import { holdingStream } from '../export-faults/faults.ts';
import { Register } from '../export/register.ts';
import { nameOf } from '../export/scenarios.ts';
import { recordEvents } from '../permissions/export-operator.ts';
import { newStreamTarget, taken, waiting } from '../permissions/export-paths.ts';
import { batchesOf, untilBatch } from './batches.ts';

const LONG = 120_000;

/** What a batch of the export costs by `bench/cost/round-trips.ts`, however many events of a target it has. */
export function exportRoundTrips(stack: TestStack): void {
  const register = () => new Register(stack.file);
  let subject: { ref: TargetRef; destination: StreamDestination };

  /** Of the batches that these targets got something of, the calls. */
  const costOf = async (
    lambda: LambdaName,
    refs: readonly TargetRef[],
    work: () => Promise<unknown>,
  ): Promise<string[][]> => {
    const targets = await Promise.all(refs.map(async (ref) => await register().find(ref)));
    const places = targets.map(({ destination }) => {
      if (destination.kind === 'stream') return nameOf(destination);
      return destination.kind === 'bucket' ? destination.deliveryStreamName : '';
    });
    return await batchesOf(stack, { lambda, places }, work);
  };

  /** Records events, and waits until the target has taken and counted them. */
  const exporting = async (count = 1, ...refs: TargetRef[]): Promise<void> => {
    const before = await Promise.all(refs.map(async (ref) => await register().find(ref)));
    for (const ref of refs) await recordEvents(stack, ref, { count });
    for (const { tenantId, category, deliveredCount } of before)
      await register().becomes({ tenantId, category }, 'taken', taken(deliveredCount + count));
  };

  const move = async (ref: TargetRef, transition: Transition): Promise<void> => {
    await register().targets.move(await register().find(ref), transition, Date.now());
  };

  beforeAll(async () => {
    subject = await newStreamTarget(stack);
    await exporting(1, subject.ref);
  }, LONG);

  test(
    'an event to a stream is a read of its target, a put and a count; its role is assumed once',
    async () => {
      const other = await newStreamTarget(stack);
      const once = async () =>
        await costOf('export-events', [other.ref], async () => await exporting(1, other.ref));
      const [read, ...rest] = callsOf('exportToStream');
      expect([read, ...rest]).toEqual([
        'export-events: BatchGetItem',
        'export-events: PutRecords',
        'export-events: UpdateItem',
      ]);
      expect(await once()).toEqual([[read, 'export-events: AssumeRole', ...rest]]);
      expect(await once()).toEqual([callsOf('exportToStream')]);
    },
    LONG,
  );

  test(
    'so are a hundred events of a batch',
    async () => {
      const hundred = async () =>
        await holdingStream(stack.file, async () => await recordEvents(stack, subject.ref, { count: 100 }));
      const { deliveredCount } = await register().find(subject.ref);
      const batches = await costOf('export-events', [subject.ref], async () => {
        await hundred();
        await register().becomes(subject.ref, 'taken', taken(deliveredCount + 100));
      });
      expect(batches).toEqual([callsOf('exportToStream')]);
    },
    LONG,
  );

  test(
    'two targets share a read',
    async () => {
      const other = await newStreamTarget(stack);
      await exporting(1, other.ref);
      const refs = [subject.ref, other.ref];
      const before = await Promise.all(refs.map(async (ref) => await register().find(ref)));
      const batches = await costOf('export-events', refs, async () => {
        await holdingStream(stack.file, async () => {
          for (const ref of refs) await recordEvents(stack, ref);
        });
        for (const target of before)
          await register().becomes(target, 'taken', taken(target.deliveredCount + 1));
      });
      const [read, ...rest] = callsOf('exportToStream');
      expect(batches.map((calls) => calls.toSorted())).toEqual([[read, ...rest, ...rest].toSorted()]);
    },
    LONG,
  );

  test(
    'an event to a bucket is a read of its target, a put and a count',
    async () => {
      const ref: TargetRef = { tenantId: stack.file.tenants[0].tenantId, category: 'log' };
      expect(callsOf('exportToBucket')).toEqual([
        'export-events: BatchGetItem',
        'export-events: PutRecordBatch',
        'export-events: UpdateItem',
      ]);
      const batches = await costOf('export-events', [ref], async () => await exporting(1, ref));
      expect(batches).toEqual([callsOf('exportToBucket')]);
    },
    LONG,
  );

  test(
    'parking is a read, a message and a write; a wait is a read and a change; following is a read, a put and two writes',
    async () => {
      const { ref } = subject;
      await move(ref, 'pause');
      const parked = await costOf('export-events', [ref], async () => {
        await recordEvents(stack, ref);
        await register().becomes(ref, 'waiting', waiting(1));
      });
      expect(parked).toEqual([callsOf('park')]);
      expect(await untilBatch(stack, 'redeliver-events')).toEqual(callsOf('wait'));
      const { deliveredCount } = await register().find(ref);
      const redelivered = await costOf('redeliver-events', [ref], async () => {
        await move(ref, 'resume');
        await register().becomes(ref, 'drained', taken(deliveredCount + 1));
      });
      const isWarm = (call: string): boolean => !call.endsWith('AssumeRole');
      const delivering = redelivered.filter((calls) => calls.includes('redeliver-events: PutRecords'));
      expect(delivering.map((calls) => calls.filter(isWarm))).toEqual([callsOf('redeliver')]);
    },
    LONG,
  );
}
