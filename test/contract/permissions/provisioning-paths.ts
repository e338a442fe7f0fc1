import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import { strikes } from '../export-faults/faults.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';
import { recordEvents } from './export-operator.ts';
import { taken, waiting } from './export-paths.ts';

/**
 * A bucket whose delivery stream is throttled in its making, while events come; then another bucket; then a stream, from
 * which on the delivery stream drains.
 */
async function provisioned(stack: TestStack): Promise<void> {
  const { file } = stack;
  const [account, register] = [new TenantAccount(file), new Register(file)];
  const ref: TargetRef = { tenantId: randomUUID(), category: 'log' };
  const destination = await account.makeBucket(ref);
  const resource = destination.deliveryStreamName;
  const busy = {
    service: 'firehose',
    operation: 'CreateDeliveryStream',
    fault: 'throttle',
    resource,
  } as const;
  await withFault(file, busy, async () => {
    await register.register(ref, destination);
    await recordEvents(stack, ref);
    await register.becomes(ref, 'waiting', waiting(1));
    const { fault } = await register.becomes(ref, 'throttled', (target) => target.fault !== undefined);
    expect(fault).toMatchObject({ actor: 'nobody' });
    expect(await strikes(file, busy.operation)).toBeGreaterThan(0);
  });
  await register.becomes(ref, 'drained', taken(1));
  await register.activate(ref, await account.makeBucket(ref));
  await register.activate(ref, await account.makeStream({ shards: 1 }));
  await untilCalled(stack, 'provision-target', 'UpdateDestination');
}

/** From the first delivery stream of a target to the last. */
export const provisioningPaths = [provisioned];
