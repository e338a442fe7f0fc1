import { expect, test } from '@jest/globals';
import { giveUp } from '../../support/give-up.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { newTenant } from './tenants.ts';

const hour = 3_600_000;
const before = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();

export function replays(stack: TestStack): void {
  const replay = (tenantId: string, from: string, to: string): string[] => [
    ...['replay', '--tenant', tenantId, '--category', 'public', '--from', from, '--to', to],
  ];

  test('is followed until all events are on their way', async () => {
    const { tenantId } = stack.file.tenants[0];
    const done = await jsonOn(stack)(...replay(tenantId, before(3), before(2)));
    expect(done).toMatchObject({ tenantId, category: 'public', state: 'done', eventsSent: 0 });
  });

  test('sends lost events again by one command and then lists them no more', async () => {
    const { tenantId } = stack.file.tenants[0];
    const of = ['--tenant', tenantId, '--category', 'public'];
    const givenUp = ['replay', ...of, '--given-up'];
    expect(await omiOn(stack)(givenUp)).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing to replay'),
    });
    expect(await omiOn(stack)([...givenUp, '--from', before(2)])).toMatchObject({ code: 2 });

    const [from, to] = [Date.now() - 3 * hour, Date.now() - 2 * hour];
    await giveUp(stack, tenantId, [
      { cause: 'expired', from: from + 60_000, to, events: 3 },
      { cause: 'errors', from, to: to - 60_000 },
    ]);
    const listed = await omiOn(stack)(['target', 'status', ...of]);
    expect(listed.out).toContain('errors/');
    expect(listed.out).toContain(`replay ${tenantId} public --given-up`);
    expect(listed.out).toMatch(/^state +degraded since/m);
    const done = await jsonOn(stack)(...givenUp);
    expect(done).toMatchObject({
      state: 'done',
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    });
    expect((await omiOn(stack)(['target', 'status', ...of])).out).not.toContain('given up');
  });

  test('is not needed for lost events that the operator dismisses, and which stay lost', async () => {
    const tenantId = await newTenant(stack);
    const [omi, json] = [omiOn(stack), jsonOn(stack)];
    const of = [tenantId, 'public'];
    const degraded = async (): Promise<string> =>
      (await omi(['target', 'list', tenantId, '--state', 'degraded'])).out;
    await json('target', 'set', 'none', ...of, '--yes');
    const dismiss = ['target', 'dismiss', ...of, '--reason', 'The bank has them.'];
    expect(await omi(dismiss)).toMatchObject({
      code: 0,
      err: expect.stringContaining('nothing to dismiss') as unknown,
    });
    const [from, to] = [Date.now() - 3 * hour, Date.now() - 2 * hour];
    await giveUp(stack, tenantId, [{ cause: 'errors', from, to, events: 26 }]);
    expect(await degraded()).toContain('26');
    expect(await json('target', 'status', ...of)).toMatchObject([
      {
        state: 'degraded',
        actor: 'operator',
        reason: expect.stringMatching(
          /^26 events were given up.*no replay is possible.*omi target dismiss/,
        ) as unknown,
      },
    ]);
    const unasked = await omi(dismiss);
    expect(unasked.code).not.toBe(0);
    expect(await degraded()).toContain('26');
    const left = await json(...dismiss, '--yes');
    expect(left).toMatchObject({ state: 'active' });
    expect(left).not.toHaveProperty('givenUp');
    expect(await degraded()).not.toContain(tenantId);
    expect((await omi(['replay', ...of, '--given-up'])).out).toContain('nothing to replay');
  });
}
