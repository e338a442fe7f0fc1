import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { NoticeStore } from '../../../core/export/notices/notice-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { dynamodbOf } from './tables.ts';
import { newTenant } from './tenants.ts';

type Shown = { contact?: object; contactSecret?: string; contactFault?: string };

/** Whom the service tells when an export waits for its tenant. */
export function contacts(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  const show = async (tenant: string): Promise<Shown> => await json<Shown>('tenant', 'show', tenant);

  test('are a mail address, or a URL whose secret is shown once, and can be removed', async () => {
    const tenant = await newTenant(stack);
    const set = async (...options: string[]): Promise<Shown> =>
      await json<Shown>('tenant', 'set', tenant, ...options);
    expect(await set('--contact', 'events@bank.example')).toMatchObject({
      contact: { mail: 'events@bank.example' },
    });
    expect(await show(tenant)).toMatchObject({ contact: { mail: 'events@bank.example' } });

    const url = 'http://127.0.0.1:1/notices';
    const made = await set('--contact', url);
    expect(made.contact).toEqual({ webhook: url });
    expect(made.contactSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await set('--contact', url)).not.toHaveProperty('contactSecret');
    expect(await set('--per-day', '7')).toMatchObject({ contact: { webhook: url } });
    const rotated = await set('--rotate-contact');
    expect(rotated.contactSecret).not.toBe(made.contactSecret);
    expect(await show(tenant)).not.toHaveProperty('contactSecret');

    expect(await set('--no-contact')).not.toHaveProperty('contact');
    expect(await show(tenant)).not.toHaveProperty('contact');
  });

  test('are refused with what was expected', async () => {
    const tenant = await newTenant(stack);
    const refused = async (...options: string[]) => await omi(['tenant', 'set', tenant, ...options]);
    expect((await refused('--contact', 'nobody')).err).toContain('a mail address or the URL of a webhook');
    expect((await refused('--contact', 'https://localhost/x')).err).toContain('--contact: The host must be');
    expect((await refused('--rotate-contact')).err).toContain('the contact of the tenant is no webhook');
    for (const contact of [['--contact', 'https://bank.example/x'], ['--no-contact']])
      expect((await refused('--rotate-contact', ...contact)).err).toContain('cannot be used with');
  });

  test('show why the last notice has not arrived, and are forgotten with their tenant', async () => {
    const tenant = await newTenant(stack);
    await json('tenant', 'set', tenant, '--contact', 'events@bank.example');
    const notices = new NoticeStore(dynamodbOf(stack), localTables.tenants);
    const fault = `No such receiver ${randomUUID()}.`;
    const pending = { id: 'n', phase: 'started', claimedAt: 1, nextAt: 2, tries: 1, fault } as const;
    await notices.change(tenant, () => ({ sentAt: [1], told: { public: { toldAt: 1, pending } } }));
    expect((await show(tenant)).contactFault).toBe(fault);
    expect((await omi(['tenant', 'show', tenant])).out).toContain(
      `The last notice has not arrived: ${fault}`,
    );

    await json('tenant', 'delete', tenant, '--yes');
    expect(await show(tenant)).not.toHaveProperty('contact');
    await expect(notices.find(tenant)).resolves.toMatchObject({ told: {} });
  });
}
