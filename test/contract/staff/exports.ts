import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { actsOf, type Desk, openDesk, openShop } from './desk.ts';
import { jsonOn } from '../../cli/omi.ts';
import { proving, Receiver } from '../../support/receiver.ts';

export function staffExports(stack: TestStack): void {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk(stack);
  });

  test('an operator sees the exports of all tenants, and searches by state', async () => {
    const all = succeeded(await desk.olga.get('/exports'), 200)['exports'];
    expect(all).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tenantId: desk.demoTenant, category: 'public' }),
        expect.objectContaining({ tenantId: desk.neighbourTenant, category: 'log' }),
      ]),
    );
    const { exports: paused } = succeeded(await desk.olga.get('/exports?state=paused'), 200);
    for (const one of paused as { state: string }[]) expect(one.state).toBe('paused');
  });

  test('an operator looks at a tenant with its clients, and sees no secret', async () => {
    const answer = await desk.olga.get(`/tenants/${desk.demoTenant}`);
    expect(succeeded(answer, 200)).toMatchObject({
      tenantId: desk.demoTenant,
      settings: { furtherDevices: 'free' },
      clients: expect.arrayContaining([expect.objectContaining({ clientId: 'demo-website' })]),
    });
    for (const { clientSecret } of stack.file.tenants) expect(answer.text).not.toContain(clientSecret);
    expect(await actsOf(stack, { tenantId: desk.demoTenant }, 'olga')).toContain('StaffTenantViewedEvent');
  });

  test('an operator pauses, resumes, tests and replays an export, each with its event', async () => {
    const { tenantId } = await openShop(stack);
    const receiver = await Receiver.start(proving);
    const json = jsonOn(stack);
    await json('target', 'set', 'webhook', tenantId, 'log', '--url', `${receiver.origin}/${randomUUID()}`);
    await json('target', 'test', tenantId, 'log');
    const path = `/tenants/${tenantId}/exports/log`;
    const act = async (name: string) => await desk.olga.post(`${path}/acts`, { act: name });
    expect(succeeded(await act('pause'), 200)).toMatchObject({ tenantId, state: 'paused' });
    succeeded(await act('pause'), 200);
    expect(succeeded(await act('resume'), 200)['state']).not.toBe('paused');
    expect(succeeded(await desk.olga.post(`${path}/test`), 202)).toMatchObject({ tenantId, category: 'log' });
    const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() };
    const replay = succeeded(await desk.olga.post(`${path}/replays`, range), 202);
    const found = await desk.olga.get(`${path}/replays/${String(replay['replayId'])}`);
    expect(succeeded(found, 200)).toMatchObject({ replayId: replay['replayId'] });
    expect(await actsOf(stack, { tenantId }, 'olga')).toEqual([
      'StaffExportPausedEvent',
      'StaffExportResumedEvent',
      'StaffExportTestedEvent',
      'StaffExportReplayedEvent',
    ]);
    await receiver.close();
  });
}
