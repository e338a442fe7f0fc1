import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { pauseByTenant, resumeByTenant } from '../../../../core/export/targets/steer-target.ts';
import { LastTestStore } from '../../../../core/export/targets/last-test-store.ts';
import { TargetReadiness } from '../../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const stream = {
  kind: 'stream' as const,
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};

let client: DynamoDBDocumentClient;
let targets: TargetStore;
let ref: TargetRef;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(client, 'tenants');
});
beforeEach(() => {
  ref = { tenantId: randomUUID(), category: 'public' };
});

async function active(): Promise<void> {
  await targets.register(ref, stream, 1_000);
  await new TargetReadiness(client, 'tenants').verified({ ...ref, destination: stream }, 2_000);
}

const operator = async (transition: 'pause' | 'resume', now: number): Promise<boolean> =>
  await targets.transition({ ...ref, destination: stream }, transition, now);

describe('a tenant', () => {
  test('pauses and resumes its own export', async () => {
    await active();
    expect(await pauseByTenant(targets, ref, 3_000)).toMatchObject({ state: 'paused', pausedBy: 'tenant' });
    expect(await pauseByTenant(targets, ref, 3_500)).toMatchObject({ state: 'paused', stateSince: 3_000 });
    const resumed = await resumeByTenant(targets, ref, 4_000);
    expect(resumed).toMatchObject({ state: 'active' });
    expect(resumed.pausedBy).toBeUndefined();
    expect(await resumeByTenant(targets, ref, 5_000)).toMatchObject({ state: 'active' });
  });

  test('cannot resume what the operator paused, even after pausing it first', async () => {
    await active();
    expect(await operator('pause', 3_000)).toBe(true);
    expect(await pauseByTenant(targets, ref, 3_500)).toMatchObject({ pausedBy: 'operator' });
    await expect(resumeByTenant(targets, ref, 4_000)).rejects.toMatchObject({ code: 'paused-by-operator' });
    expect(await operator('resume', 5_000)).toBe(true);
    await pauseByTenant(targets, ref, 6_000);
    expect(await operator('pause', 7_000)).toBe(true);
    await expect(resumeByTenant(targets, ref, 8_000)).rejects.toMatchObject({ code: 'paused-by-operator' });
    expect(await targets.find(ref)).toMatchObject({
      state: 'paused',
      pausedBy: 'operator',
      stateSince: 6_000,
    });
  });

  test('cannot resume a paused target that is no longer trusted', async () => {
    await active();
    const paused = await pauseByTenant(targets, ref, 3_000);
    const fault = { actor: 'tenant' as const, code: 'AccessDenied', reason: 'The role cannot be assumed.' };
    await new LastTestStore(client, 'tenants').asked(ref, { id: 'a', requestedAt: 3_200 });
    await new TargetReadiness(client, 'tenants').failed(
      paused,
      {
        fault,
        consequence: 'park',
        endsOwnership: false,
        test: { id: 'a', requestedAt: 3_200, outcome: 'failed' },
      },
      3_500,
    );
    await expect(resumeByTenant(targets, ref, 4_000)).rejects.toMatchObject({ code: 'not-verified' });
  });

  test('can neither pause nor resume a target that is being validated, not exported, or missing', async () => {
    for (const steer of [pauseByTenant, resumeByTenant])
      await expect(steer(targets, ref, 1)).rejects.toMatchObject({ code: 'export-not-found' });
    await targets.register(ref, stream, 1_000);
    for (const steer of [pauseByTenant, resumeByTenant])
      await expect(steer(targets, ref, 1)).rejects.toMatchObject({ code: 'not-verified' });
    await targets.register(ref, { kind: 'none' }, 2_000);
    for (const steer of [pauseByTenant, resumeByTenant])
      await expect(steer(targets, ref, 1)).rejects.toMatchObject({ code: 'no-destination' });
  });

  test('has nothing paused at another destination', async () => {
    await active();
    await pauseByTenant(targets, ref, 3_000);
    await targets.register(ref, { ...stream, lanes: 4 }, 4_000);
    expect((await targets.find(ref))?.pausedBy).toBeUndefined();
  });
});
