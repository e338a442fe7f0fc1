import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { LaneWatermarks } from '../../../core/export/delivery/lane-watermark-store.ts';
import { TargetStore } from '../../../core/export/targets/target-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';
import { setStream } from './target-lines.ts';

type Tenant = { tenantId: string; name: string; labels?: object };
type Listed = { tenantId: string; name: string; waiting: number; actionSince?: string };
type Target = { tenantId: string; tenantName: string; category: string };

/** What an operator of many tenants does: names in place of ids, labels, filters, order and pages. */
export function manyTenants(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  const create = async (name: string, ...options: string[]): Promise<string> =>
    (await json<Tenant>('tenant', 'create', '--name', name, ...options)).tenantId;

  test('a tenant is named by its name, unless another one has the same', async () => {
    const name = `Bank ${randomUUID()}`;
    const tenantId = await create(name);
    expect(await json<Tenant>('tenant', 'show', name)).toMatchObject({ tenantId, name });
    expect(await omi(['tenant', 'show', `${name} & Co`])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no tenant with the id or name') as unknown,
    });
    const other = await create(name);
    const refused = await omi(['tenant', 'show', name]);
    expect(refused.code).toBe(1);
    for (const id of [tenantId, other]) expect(refused.err).toContain(id);
    await json('tenant', 'delete', other, '--yes');
    expect(await json<Tenant>('tenant', 'show', name)).toMatchObject({ tenantId });
  });

  test('labels are set, replaced and removed, and too many of them change nothing', async () => {
    const tenantId = await create('Bank', '--label', 'tier=gold', 'region=eu');
    const set = ['tenant', 'set', tenantId];
    const options = ['--label', 'tier=silver', 'note=a=b', '--no-label', 'region', '--no-label', 'absent'];
    const labels = { tier: 'silver', note: 'a=b' };
    expect((await json<Tenant>(...set, ...options)).labels).toEqual(labels);
    const nine = Array.from({ length: 9 }, (_, index) => `key-${index}=x`);
    const refused = await omi([...set, '--name', 'Other', '--label', ...nine]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--label: .* 10 labels.*--no-label/) as unknown,
    });
    expect(await json<Tenant>('tenant', 'show', tenantId)).toMatchObject({ name: 'Bank', labels });
    expect((await json<Tenant>(...set, '--no-label', 'tier', '--no-label', 'note')).labels).toBeUndefined();
  });

  test('lists are sorted, and shown in parts that fit together', async () => {
    const group = randomUUID();
    for (const name of ['C', 'A', 'B']) {
      const id = await create(`${name} ${group}`, '--label', `group=${group}`);
      await json('target', 'set', 'none', id, 'public', '--yes');
    }
    const label = ['--label', `group=${group}`];
    const names = async (...options: string[]): Promise<string[]> =>
      (await json<Target[]>('target', 'list', ...label, ...options)).map(({ tenantName }) =>
        tenantName.slice(0, 1),
      );
    expect(await names()).toEqual(['A', 'B', 'C']);
    expect(await names('--sort', 'since')).toEqual(['C', 'A', 'B']);
    for (const list of ['target', 'tenant']) {
      const first = await omi([list, 'list', ...label, '--limit', '2']);
      expect(first.out).toContain(`B ${group}`);
      const [, cursor = ''] = /--cursor (\S+)\n$/.exec(first.out) ?? [];
      const second = await omi([list, 'list', ...label, '--limit', '2', '--cursor', cursor]);
      expect(second.out).toContain(`C ${group}`);
      for (const text of [`A ${group}`, `B ${group}`, '--cursor']) expect(second.out).not.toContain(text);
      expect(await json(list, 'list', ...label, '--limit', '2')).toMatchObject({
        [`${list}s`]: [{}, {}],
        cursor,
      });
    }
  });

  test('tenants are sorted by what waits, and by how long somebody has had to act for a target', async () => {
    const group = randomUUID();
    const label = ['--label', `group=${group}`];
    for (const name of ['B', 'A', 'C']) {
      const id = await create(name, ...label);
      if (name !== 'A') await json(...setStream(id, 'public', '--new-external-id'));
    }
    const list = async (sort: string) => await json<Listed[]>('tenant', 'list', ...label, '--sort', sort);
    await until(async () => (await list('since')).filter(({ actionSince }) => actionSince).length === 2);
    expect((await list('since')).map(({ name }) => name)).toEqual(['B', 'C', 'A']);
    const [{ tenantId } = { tenantId: '' }] = (await list('name')).filter(({ name }) => name === 'C');
    const target = await new TargetStore(dynamodbOf(stack), localTables.tenants).find({
      tenantId,
      category: 'public',
    });
    if (!target) throw new Error('There is no such target');
    const counts = { accepted: 2, delivered: 0, parked: 2 };
    const parked = { positions: new Map([['lane', '1']]), counts, since: Date.now() };
    await new LaneWatermarks(dynamodbOf(stack), localTables.tenants).parked(target, parked);
    const sorted = await list('waiting');
    expect(sorted[0]?.name).toBe('C');
    expect(sorted.map(({ waiting }) => waiting)).toEqual([2, 0, 0]);
  });

  test('a label that no tenant has is rejected with the keys that there are', async () => {
    await create('Bank', '--label', 'tier=gold');
    for (const list of ['target', 'tenant'])
      expect(await omi([list, 'list', '--label', 'teir=gold'])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/--label: .*"teir".* Their keys: .*tier/) as unknown,
      });
    expect((await omi(['tenant', 'list', '--label', 'tier=lead'])).code).toBe(0);
  });

  test('the operator who acknowledged a trouble is shown with its target', async () => {
    const target = [await create('Bank'), 'public'] as const;
    await json(...setStream(...target, '--new-external-id'));
    const acknowledge = ['target', 'acknowledge', ...target, '--for', '48'];
    // The service notes a new trouble by itself, soon after it began.
    await until(async () => (await omi(acknowledge)).code === 0);
    const acknowledged = {
      by: expect.stringMatching(/^arn:aws:/) as unknown,
      until: expect.stringMatching(/Z$/) as unknown,
    };
    expect(await json(...acknowledge)).toMatchObject({ acknowledged });
    expect(await json('target', 'list', ...target)).toMatchObject([{ acknowledged }]);
    expect(await json('target', 'status', ...target)).toMatchObject([{ acknowledged }]);
    for (const command of ['list', 'status'])
      expect((await omi(['target', command, ...target])).out).toMatch(/by arn:aws:\S+ until \S+Z/);
  });

  test('a question names the tenant, the destination and what waits, and a script is not asked to replace one', async () => {
    const name = `Bank ${randomUUID()}`;
    const tenantId = await create(name);
    const url = (path: string): string => `http://127.0.0.1:1/${path}`;
    const set = ['target', 'set', 'webhook', tenantId, 'public', '--url'];
    await json(...set, url('first'));
    const end = ['target', 'set', 'none', tenantId, 'public'];
    const { asked } = await omi(end, { answer: 'n' });
    expect(asked[0]).toMatch(
      new RegExp(`public events of the tenant ${tenantId} \\(${name}\\) go to the webhook .*first, which is`),
    );
    expect(asked[0]).toMatch(/no events wait\. End the export of public events\?/);
    // One that is still being validated has taken no event.
    expect((await omi([...set, url('second')], { answer: 'n' })).asked).toEqual([]);
    await json('target', 'set', 'webhook', tenantId, 'public', '--url', url('third'));
  });
}
