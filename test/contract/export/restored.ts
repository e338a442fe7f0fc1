import { expect, test } from '@jest/globals';
import { restoreTargets } from '../../support/initial-targets.ts';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { succeeded } from '../expectations.ts';
import { recordsOf } from './consumer.ts';
import { Register } from './register.ts';
import { exportOf } from './scenarios.ts';
import { TenantAccount } from './targets.ts';

export function restored(stack: TestStack): void {
  test('seeded targets are restored to active with every type, whatever tests have changed', async () => {
    const register = new Register(stack.file);
    const account = new TenantAccount(stack.file);
    const refs = stack.file.exports.map(({ tenantId, category }) => ({
      tenantId,
      category: category,
    }));
    const [toStream, ...toBuckets] = refs;
    if (!toStream) throw new Error('The stack has no exports');
    await register.activate(toStream, await account.makeBucket(toStream));
    await register.targets.transition(await register.find(toStream), 'pause', Date.now());
    for (const ref of toBuckets)
      await register.activate(ref, await account.makeStream({ shards: 1 }), ['UserBlockedEvent']);

    await restoreTargets(stack.file);
    for (const ref of refs) {
      const { state, types, destination } = await register.find(ref);
      const one = stack.file.exports.find(
        ({ tenantId, category }) => tenantId === ref.tenantId && category === ref.category,
      );
      expect({ state, types }).toEqual({ state: 'active', types: undefined });
      expect(JSON.stringify(destination)).toContain(one?.kind === 'stream' ? one.streamName : one?.bucket);
    }
    const event = createdEvent(toStream.tenantId);
    succeeded(await record(stack.website, [event]), 202);
    await recordsOf(stack.file, exportOf(stack.file, 0, 'public').streamName, [event]);
  });
}
