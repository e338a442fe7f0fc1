/** What operators and the tenant's contact learn of streams of signals. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { jsonOn, omiOn } from '../../cli/omi.ts';
import { accepting, answering, Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice } from '../scenario.ts';
import { push, ReceivingTenant, type StreamConfiguration } from './receiving-tenant.ts';

type Listed = Record<string, unknown> & { streamId: string; actor: string };
type Finding = { check: string; subject: string; ok: boolean; warning?: true; detail: string };

export function operators(stack: TestStack): void {
  let tenant: ReceivingTenant;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    tenant = await ReceivingTenant.open(stack);
  });
  afterEach(async () => {
    for (const { stream_id: id } of (await tenant.read()).body as StreamConfiguration[])
      await tenant.delete(id);
    await Promise.all(receivers.splice(0).map(async (receiver) => await receiver.close()));
  });

  const list = async (...options: string[]): Promise<Listed[]> =>
    await jsonOn(stack)<Listed[]>('signal', 'list', tenant.tenantId, ...options);

  async function receiving(behave = accepting): Promise<Receiver> {
    const receiver = await Receiver.start(behave);
    receivers.push(receiver);
    return receiver;
  }

  test('are told by the doctor of a stream in trouble, and the contact of its tenant by a notice, until it is over', async () => {
    const contact = await receiving(answering(204));
    await jsonOn(stack)('tenant', 'set', tenant.tenantId, '--contact', `${contact.origin}/notices`);
    const receiver = await receiving(answering(404));
    const { stream_id: streamId } = await tenant.createStream({
      delivery: { method: push, endpoint_url: receiver.url },
    });
    await enrolDevice(tenant.client);
    await until(() => contact.calls.length > 0);
    expect(contact.calls[0]?.body).toMatchObject({
      type: 'export.trouble',
      data: { tenantId: tenant.tenantId, category: `signals.${streamId}`, code: 'Signals.Http404' },
    });
    expect(await list('--trouble')).toMatchObject([{ streamId, actor: 'tenant', waiting: 1 }]);
    const { findings } = JSON.parse((await omiOn(stack)(['--json', 'doctor'])).out) as {
      findings: Finding[];
    };
    const finding = findings.find(({ subject }) => subject.includes(streamId));
    expect(finding).toMatchObject({ check: 'signals', ok: true, warning: true });
    expect(finding?.detail).toContain('1 signals wait');
    receiver.behave = accepting;
    await until(() => contact.calls.length > 1);
    expect(contact.calls.at(-1)?.body).toMatchObject({ type: 'export.recovered' });
    expect(await list('--trouble')).toEqual([]);
  });
}
