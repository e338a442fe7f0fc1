import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';
import { keyArn, named, setStream, streamArn } from './target-lines.ts';
import { newTenant } from './tenants.ts';

export function malformedTargets(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);

  test('hide no other target, and are replaced by registering them again', async () => {
    const tenantId = await newTenant(stack);
    await json(...setStream(tenantId, 'public', '--new-external-id'));
    const spoil = async () => {
      const Item = { pk: `tenant#${tenantId}`, sk: 'target#log', destination: 'by hand' };
      await dynamodbOf(stack).send(new PutCommand({ TableName: localTables.tenants, Item }));
    };
    await spoil();
    for (const show of [
      ['target', 'status'],
      ['tenant', 'show', '--tenant', tenantId],
    ]) {
      const { code, out, err } = await omi(show);
      expect({ code, isShown: out.includes(streamArn) }).toEqual({ code: 1, isShown: true });
      expect(err).toContain(`tenant#${tenantId} target#log`);
    }
    const bucket = ['--bucket', `events-${tenantId}`, '--kms-key-arn', keyArn];
    await json('target', 'set', 'bucket', ...named(tenantId, 'log'), ...bucket);
    await spoil();
    await json(...setStream(tenantId, 'log', '--new-external-id'));
    await spoil();
    const none = ['target', 'set', 'none', ...named(tenantId, 'log')];
    expect(await omi(none)).toMatchObject({ code: 2, out: '' });
    await json(...none, '--yes');
    expect(await omi(['tenant', 'show', '--tenant', tenantId])).toMatchObject({ code: 0 });
  });
}
