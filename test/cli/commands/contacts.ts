import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn } from '../omi.ts';
import { newTenant } from './tenants.ts';

type Shown = { contact?: object; contactSecret?: string; contactFault?: string };

/** Whom the service tells when an export waits for its tenant. */
export function contacts(stack: TestStack): void {
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
}
