import { randomUUID } from 'node:crypto';
import { GetRolePolicyCommand, IAMClient, ListRolePoliciesCommand } from '@aws-sdk/client-iam';
import { expect, test } from '@jest/globals';
import { AilingTargets } from '../../../core/export/notices/ailing-target-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf, placeOf } from './tables.ts';
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

  test('are acknowledged while they have trouble', async () => {
    const [tenantId, category] = [await newTenant(stack), 'log'] as const;
    await json('target', 'set', 'none', ...named(tenantId, category), '--yes');
    const acknowledged = async () => await omi(['target', 'acknowledge', ...named(tenantId, category)]);
    const { code, err } = await acknowledged();
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no trouble') as unknown,
    });
    await new AilingTargets(dynamodbOf(stack), localTables.tenants).add({ tenantId, category }, Date.now());
    expect(await acknowledged()).toMatchObject({ code: 0 });
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
    expect(lines[0]).toMatch(/^TENANT +NAME +CATEGORY +KIND +STATE +SINCE +WAITING +GIVEN UP +ACTION BY$/);
    expect(out).toMatch(
      new RegExp(`^${tenantId} +Bank +public +stream +validating +\\S+Z +0 +0 +\\S+$`, 'm'),
    );
    expect(lines.at(-1)).toBe('2 targets: 1 validating, 1 active.');
  });

  test('do not print policies with a key in another region or account', async () => {
    const { tenantId } = stack.file.tenants[0];
    const elsewhere = keyArn.replace('eu-central-1', 'us-east-1');
    const { code, out, err } = await omi([
      ...['target', 'policies', ...named(tenantId, 'public'), '--kms-key-arn', elsewhere],
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--kms-key-arn must name a key in the region of the stream, eu-central-1');
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

  test('limit the role to buckets in the key’s account, or in the named account', async () => {
    const tenantId = await newTenant(stack);
    const set = ['target', 'set', 'bucket', ...named(tenantId, 'log'), '--kms-key-arn', keyArn];
    const policyWith = async (...more: string[]): Promise<string> => {
      await json(...set, '--bucket', `owned-${tenantId}`, ...more);
      return (await policiesOf(stack, tenantId)).join();
    };
    const condition = (account: string) => `{"StringEquals":{"aws:ResourceAccount":"${account}"}}`;
    expect(await policyWith()).toContain(condition('111122223333'));
    const other = await policyWith('--bucket-owner', '444455556666');
    expect(other).toContain(condition('444455556666'));
    expect(other).not.toContain(condition('111122223333'));
    const [target] = await json<Target[]>('target', 'status', '--tenant', tenantId);
    expect(target?.destination).toMatchObject({ bucketOwner: '444455556666' });
    const { out } = await omi(['target', 'status', '--tenant', tenantId]);
    expect(out).toMatch(/bucket owner +444455556666/);
    const wrong = await omi([...set, '--bucket', `owned-${tenantId}`, '--bucket-owner', '4444']);
    expect(wrong).toMatchObject({ code: 2, out: '' });
  });

  test("keep the role's access to the former bucket until its delivery stream stops writing there", async () => {
    const tenantId = await newTenant(stack);
    const [first, second] = [`first-${tenantId}`, `second-${tenantId}`];
    const set = async (bucket: string): Promise<string[]> => {
      const options = ['--bucket', bucket, '--kms-key-arn', keyArn];
      await json('target', 'set', 'bucket', ...named(tenantId, 'log'), ...options);
      return await policiesOf(stack, tenantId);
    };
    expect((await set(first)).join()).toContain(first);
    const both = await set(second);
    for (const bucket of [first, second]) expect(both.join()).toContain(bucket);
    // As soon as the delivery stream is made for the second, the same command takes back what was for the first.
    let left = both;
    await until(async () => {
      left = await set(second);
      return !left.join().includes(first);
    });
    expect(left.join()).toContain(second);
  });

  test('can be paused and resumed repeatedly', async () => {
    const target = named(stack.file.tenants[0].tenantId, 'public');
    const pause = async () =>
      await expect(json('target', 'pause', ...target)).resolves.toMatchObject({ state: 'paused' });
    await pause();
    await pause();
    const { out } = await omi(['target', 'status', ...target]);
    expect(out).toContain('paused since');
    const resume = async () =>
      // Nothing waits, so nothing is to be delivered before it is well.
      expect((await json<Target>('target', 'resume', ...target)).state).toBe('active');
    await resume();
    await resume();
  });

  test('cannot be paused during validation or if missing, and the answer says why', async () => {
    const tenantId = await newTenant(stack);
    await json(...setStream(tenantId, 'public', '--new-external-id'));
    const validating = await omi(['target', 'pause', ...named(tenantId, 'public')]);
    expect(validating.code).toBe(1);
    expect(validating.err).toContain('omi target test');
    await json('target', 'set', 'none', ...named(tenantId, 'log'), '--yes');
    const none = await omi(['target', 'pause', ...named(tenantId, 'log')]);
    expect(none.code).toBe(1);
    expect(none.err).toContain('none');
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
