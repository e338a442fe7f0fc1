import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { answering, Receiver } from '../../support/receiver.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
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

  test('get a signed test, whose outcome is shown', async () => {
    const tenant = await newTenant(stack);
    const receiver = await Receiver.start();
    const test = async () => await omi(['--json', 'tenant', 'contact-test', tenant]);
    const set = ['tenant', 'set', tenant, '--contact'];
    const { contactSecret = '' } = await json<Shown>(...set, receiver.url);
    const passed = await test();
    expect({ code: passed.code, result: JSON.parse(passed.out) as unknown }).toEqual({
      code: 0,
      result: {
        tenantId: tenant,
        contact: { webhook: receiver.url },
        lastTest: { at: expect.any(String), succeeded: true, reason: 'It answered with HTTP 204.' },
      },
    });
    const [{ text, headers, body } = { text: '', headers: {}, body: {} }, ...others] = receiver.calls;
    expect(others).toEqual([]);
    expect(() => new Webhook(contactSecret).verify(text, headers)).not.toThrow();
    expect(body).toMatchObject({
      type: 'export.test',
      data: { tenantId: tenant, page: stack.file.exportsUrl },
    });

    receiver.behave = answering(401);
    const failed = await test();
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('The test failed.') });
    expect(failed.out).toContain('It answered with HTTP 401.');
    await receiver.close();
    await json(...set, 'events@bank.example');
    expect((await test()).out).toContain('Amazon SES took the mail.');
    await json('tenant', 'set', tenant, '--no-contact');
    expect(await test()).toMatchObject({ code: 1, err: expect.stringContaining('--contact') });
  });
}
