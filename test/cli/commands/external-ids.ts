import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { sha256 } from '../../../core/kernel/identifiers.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';
import { setStream, type Target } from './target-lines.ts';
import { newTenant } from './tenants.ts';

/** Deletes what says which tenant an external id belongs to. */
async function forgetExternalId(stack: TestStack, externalId: string): Promise<void> {
  const Key = { pk: `external-id#${sha256(externalId)}`, sk: 'external-id' };
  await dynamodbOf(stack).send(new DeleteCommand({ TableName: localTables.tenants, Key }));
}

export function externalIds(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);

  test('stay when the same stream is registered again, and can be replaced', async () => {
    const tenantId = await newTenant(stack);
    const made = await json<Target>(...setStream(tenantId, 'log', '--new-external-id'));
    expect(made.destination.externalId).toMatch(/^[\w-]{32}$/);
    const again = await json<Target>(...setStream(tenantId, 'log'));
    expect(again.destination).toEqual(made.destination);
    const without = await omi(setStream(tenantId, 'public'));
    expect(without).toMatchObject({ code: 2, out: '' });
    expect(without.err).toContain('--external-id');
  });

  test('serve both categories of one tenant, and no other tenant', async () => {
    const [tenantId, other] = [await newTenant(stack), await newTenant(stack)];
    const externalId = randomUUID();
    await json(...setStream(tenantId, 'public', '--external-id', externalId));
    await json(...setStream(tenantId, 'log', '--external-id', externalId));
    const refused = await omi(setStream(other, 'public', '--external-id', externalId));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('Another tenant uses this external id');
    expect(refused.err).not.toContain(tenantId);
    expect(await json('target', 'status', '--tenant', other)).toEqual([]);
  });

  test('serve no other tenant even if the target was registered without the commands', async () => {
    const [tenantId, other] = [await newTenant(stack), await newTenant(stack)];
    const target = await json<Target>(...setStream(tenantId, 'public', '--new-external-id'));
    const { externalId } = target.destination;
    await forgetExternalId(stack, externalId);
    const refused = await omi(setStream(other, 'public', '--external-id', externalId));
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('Another tenant uses this external id');
    await json(...setStream(tenantId, 'log', '--external-id', externalId));
  });
}
