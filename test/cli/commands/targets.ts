import { randomUUID } from 'node:crypto';
import { GetRolePolicyCommand, IAMClient, ListRolePoliciesCommand } from '@aws-sdk/client-iam';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { placeOf } from './tables.ts';
import { keyArn, named, roleArn, setStream, streamArn, type Target } from './target-lines.ts';
import { newTenant } from './tenants.ts';

export function targets(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);

  test('test a stream with the agreed external id', async () => {
    const tenantId = await newTenant(stack);
    const externalId = randomUUID();
    const target = await json(...setStream(tenantId, 'public', '--external-id', externalId, '--lanes', '4'));
    expect(target).toMatchObject({
      tenantId,
      category: 'public',
      destination: { kind: 'stream', streamArn, roleArn, externalId, lanes: 4 },
      state: 'validating',
      lastTest: { outcome: expect.any(String) },
      parked: 0,
    });
    const [{ destination }] = await json<[Target]>('target', 'status', '--tenant', tenantId);
    expect(destination).toEqual(target['destination']);
  });

  test('are listed one on a line, by state, kind and waiting events', async () => {
    const tenantId = await newTenant(stack);
    await json(...setStream(tenantId, 'public', '--new-external-id'));
    await json('target', 'set', 'none', ...named(tenantId, 'log'), '--yes');
    const listed = async (...options: string[]) =>
      (await json<{ category: string }[]>('target', 'list', tenantId, ...options)).map(
        ({ category }) => category,
      );
    expect((await listed()).toSorted()).toEqual(['log', 'public']);
    expect(await listed('--state', 'validating', 'parked')).toEqual(['public']);
    expect(await listed('--kind', 'none')).toEqual(['log']);
    expect(await listed('--waiting')).toEqual([]);

    const { code, out } = await omi(['target', 'list', tenantId]);
    const lines = out.trim().split('\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(
      /^TENANT +NAME +CATEGORY +KIND +STATE +SINCE +WAITING +GIVEN UP +ACTION BY +ACKNOWLEDGED$/,
    );
    expect(out).toMatch(
      new RegExp(`^${tenantId} +Bank +public +stream +validating +\\S+Z +0 +0 +\\S+$`, 'm'),
    );
    expect(lines.at(-1)).toBe('2 targets: 1 validating, 1 active.');
  });

  test("give a bucket its tenant's delivery role, which may write there and nowhere else", async () => {
    const tenantId = await newTenant(stack);
    const bucket = `events-${tenantId}`;
    const set = [
      'target',
      'set',
      'bucket',
      ...named(tenantId, 'log'),
      '--bucket',
      bucket,
      '--kms-key-arn',
      keyArn,
    ];
    const { destination } = await json<Target>(...set);
    expect(destination).toMatchObject({ kind: 'bucket', bucket, kmsKeyArn: keyArn });
    expect(destination.deliveryRoleArn).toBe(
      `arn:aws:iam::000000000000:role/omi/local/delivery/omi-local-delivery-${tenantId}`,
    );
    const [logs, writes, ...others] = await policiesOf(stack, tenantId);
    expect(others).toEqual([]);
    expect(logs).toContain('"Action":"logs:PutLogEvents"');
    expect(writes).toContain(`arn:aws:s3:::${bucket}/*`);
    expect(writes).toContain(keyArn);
    for (const policy of [logs, writes]) expect(policy).not.toContain('"Resource":"*"');
    expect((await json<Target>(...set)).destination).toEqual(destination);
  });

  test('get no events after their removal, and an unknown one cannot be removed', async () => {
    const tenantId = await newTenant(stack);
    await json(...setStream(tenantId, 'public', '--new-external-id'));
    const removed = await json('target', 'remove', ...named(tenantId, 'public'), '--yes');
    expect(removed).toMatchObject({ destination: { kind: 'none' }, state: 'active' });
    const never = await omi(['target', 'remove', ...named(tenantId, 'log')]);
    expect(never).toMatchObject({ code: 1, out: '' });
  });

  test.each([['remove'], ['set', 'none']])(
    'are not ended before the operator confirms (%s %s)',
    async (...words) => {
      const tenantId = await newTenant(stack);
      await json(...setStream(tenantId, 'public', '--new-external-id'));
      const command = ['target', ...words, ...named(tenantId, 'public')];
      expect(await omi(command)).toMatchObject({ code: 2, out: '' });
      expect(await omi(command, { answer: 'n' })).toMatchObject({ code: 1, out: '' });
      const [target] = await json<Target[]>('target', 'status', ...named(tenantId, 'public'));
      expect(target?.destination).toMatchObject({ kind: 'stream' });
      expect(await omi(command, { answer: 'y' })).toMatchObject({ code: 0 });
    },
  );

  test('have policies that can be printed before the registration', async () => {
    const tenantId = await newTenant(stack);
    const stream = ['target', 'policies', '--tenant', tenantId, '--stream-arn', streamArn];
    const printed = await json(...stream, '--new-external-id', '--role-name', 'writer');
    expect(printed).toMatchObject({ kind: 'stream', streamArn, roleName: 'writer' });
    expect(await json('target', 'status', '--tenant', tenantId)).toEqual([]);
    expect(await omi(['target', 'policies', '--tenant', tenantId])).toMatchObject({ code: 2, out: '' });
  });
}

async function policiesOf(stack: TestStack, tenantId: string): Promise<string[]> {
  const iam = new IAMClient(placeOf(stack, 'sts'));
  const RoleName = `omi-local-delivery-${tenantId}`;
  const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
  const read = PolicyNames.map(async (PolicyName) => {
    const { PolicyDocument = '' } = await iam.send(new GetRolePolicyCommand({ RoleName, PolicyName }));
    return decodeURIComponent(PolicyDocument);
  });
  return await Promise.all(read);
}
