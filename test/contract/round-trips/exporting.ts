import { expect, test } from '@jest/globals';
import { callsOf } from '../../../tools/bench/cost/round-trips.ts';
import type { Transition } from '../../../core/export/targets/state-machine.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import type { TestStack } from '../../support/stack.ts';
import { holdingStream } from '../export-faults/faults.ts';
import { Register } from '../export/register.ts';
import { nameOf } from '../export/scenarios.ts';
import { recordEvents } from '../permissions/export-operator.ts';
import { newStreamTarget, taken, waiting } from '../permissions/export-paths.ts';
import { batchesOf, untilBatch } from './batches.ts';
import { measureUnhurried, type Measurement } from './unhurried.ts';

/** What a batch of the export costs by `tools/bench/cost/round-trips.ts`, however many events of a target it has. */
export function exportRoundTrips(stack: TestStack): void {
  const register = () => new Register(stack.file);

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
    await register().targets.transition(await register().find(ref), transition, Date.now());
  };

  const isActive = async (ref: TargetRef): Promise<boolean> =>
    (await register().find(ref)).state === 'active';

  /** A target whose role is assumed already. */
  const warm = async (): Promise<TargetRef> => {
    const { ref } = await newStreamTarget(stack);
    await exporting(1, ref);
    return (await isActive(ref)) ? ref : await warm();
  };

  const unhurried = async (
    prepare: Measurement['prepare'],
    measure: Measurement['measure'],
    trace?: Measurement['trace'],
  ): Promise<string[][]> => await measureUnhurried(register(), { prepare, measure, ...(trace && { trace }) });

  test('an event to a stream is a read of its target, a put and a count, and its role is assumed once', async () => {
    const twice = await unhurried(
      async () => [(await newStreamTarget(stack)).ref],
      async (ref) => {
        const once = async () => await costOf('export-events', [ref], async () => await exporting(1, ref));
        return [...(await once()), ...(await once())];
      },
    );
    const [read, ...rest] = callsOf('exportToStream');
    expect([read, ...rest]).toEqual([
      'export-events: BatchGetItem',
      'export-events: PutRecords',
      'export-events: UpdateItem',
    ]);
    expect(twice).toEqual([[read, 'export-events: AssumeRole', ...rest], callsOf('exportToStream')]);
  });

  test('a batch of a hundred events to a stream is a read of its target, a put and a count', async () => {
    const hundred = await unhurried(
      async () => [await warm()],
      async (ref) => {
        const { deliveredCount } = await register().find(ref);
        return await costOf('export-events', [ref], async () => {
          await holdingStream(stack.file, async () => await recordEvents(stack, ref, { count: 100 }));
          await register().becomes(ref, 'taken', taken(deliveredCount + 100));
        });
      },
    );
    expect(hundred).toEqual([callsOf('exportToStream')]);
  });

  test('two targets share one read', async () => {
    const shared = await unhurried(
      async () => [await warm(), await warm()],
      async (...refs) => {
        const before = await Promise.all(refs.map(async (ref) => await register().find(ref)));
        return await costOf('export-events', refs, async () => {
          await holdingStream(stack.file, async () => {
            for (const ref of refs) await recordEvents(stack, ref);
          });
          for (const target of before)
            await register().becomes(target, 'taken', taken(target.deliveredCount + 1));
        });
      },
    );
    const [read, ...rest] = callsOf('exportToStream');
    expect(shared.map((calls) => calls.toSorted())).toEqual([[read, ...rest, ...rest].toSorted()]);
  });

  test('an event to a bucket is a read of its target, a put and a count', async () => {
    const ref: TargetRef = { tenantId: stack.file.tenants[0].tenantId, category: 'log' };
    expect(callsOf('exportToBucket')).toEqual([
      'export-events: BatchGetItem',
      'export-events: PutRecordBatch',
      'export-events: UpdateItem',
    ]);
    const batches = await unhurried(
      async () => {
        while (!(await isActive(ref))) await exporting(1, ref);
        return [ref];
      },
      async () => await costOf('export-events', [ref], async () => await exporting(1, ref)),
    );
    expect(batches).toEqual([callsOf('exportToBucket')]);
  });

  test('parking is a read, a message and a write, waiting a read and a change, redelivery a read, a put and two writes', async () => {
    const isWarm = (call: string): boolean => !call.endsWith('AssumeRole');
    const there = await unhurried(
      async () => [await warm()],
      async (ref) => {
        await move(ref, 'pause');
        const parked = await costOf('export-events', [ref], async () => {
          await recordEvents(stack, ref);
          await register().becomes(ref, 'waiting', waiting(1));
        });
        const waited = await untilBatch(stack, 'redeliver-events', 'ChangeMessageVisibilityBatch');
        const { deliveredCount } = await register().find(ref);
        const redelivered = await costOf('redeliver-events', [ref], async () => {
          await move(ref, 'resume');
          await register().becomes(ref, 'drained', taken(deliveredCount + 1));
        });
        const delivering = redelivered.filter((calls) => calls.includes('redeliver-events: PutRecords'));
        return [...parked, waited, ...delivering.map((calls) => calls.filter(isWarm))];
      },
      ({ state }) => state,
    );
    expect(there).toEqual([callsOf('park'), callsOf('wait'), callsOf('redeliver')]);
  });
}
