import { expect, test } from '@jest/globals';
import { indexShards, shardKey } from '../../../core/events/event-keys.ts';
import { tables } from '../../../core/aws/tables.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import { enrolDevice, pushAndConfirm } from '../scenario.ts';

export function busyIndex(stack: TestStack): void {
  const index = `${localTables.events}/index/${tables.events.index.name}`;

  /** While each key of the platform's public events is throttled. */
  const throttled = async <Result>(work: () => Promise<Result>, shard = 0): Promise<Result> => {
    if (shard === indexShards) return await work();
    const { tenantId } = stack.file.tenants[0];
    const resource = `${index}/${shardKey({ tenantId, category: 'public', by: 'platform', shard })}`;
    return await withFault(
      stack.file,
      { service: 'dynamodb', resource, fault: 'throttle' },
      async () => await throttled(work, shard + 1),
    );
  };

  test("rejects the events of the tenant's platform, and no confirmation, no enrolment and no other tenant's event", async () => {
    const [own, other] = stack.file.tenants;
    const event = createdEvent(own.tenantId);
    await throttled(async () => {
      const refused = await record(stack.website, [event]);
      expectProblem(refused, 503, 'temporarily-unavailable');
      expect(retryAfterOf(refused)).toBeLessThanOrEqual(60);
      succeeded(await record(stack.neighbour, [createdEvent(other.tenantId)]), 202);
      // So many that their events are in several shards.
      for (let round = 0; round < 3; round += 1)
        await pushAndConfirm(stack.website, await enrolDevice(stack.website));
    });
    expect(succeeded(await record(stack.website, [event]), 202)).toEqual({ accepted: 1 });
  });
}
