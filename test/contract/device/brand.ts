import { expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scan } from '#device';
import { postPreview } from '../../../tools/client/device/device-api.ts';
import { WebsiteClient } from '../../../tools/client/website-client.ts';
import { jsonOn, omiOn } from '../../cli/omi.ts';
import { expectSchema } from '../../support/openapi.ts';
import { pngOf } from '../../support/png.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { newUser } from '../scenario.ts';

const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const supportUrl = 'https://bank.example/help';

export function brand(stack: TestStack): void {
  const json = jsonOn(stack);
  const pathOf = (tenantId: string) => `${stack.file.baseUrl}/omi/device/tenants/${tenantId}`;
  const get = async (tenantId: string) => {
    const response = await fetch(pathOf(tenantId));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'max-age=300']);
    const body: unknown = await response.json();
    expectSchema('Brand', body);
    return body;
  };
  const newTenant = async () =>
    (await json<{ tenantId: string }>('tenant', 'create', '--name', 'Bank')).tenantId;
  const fileOf = async (content: string | Buffer, use: (file: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'omi-brand-'));
    await writeFile(join(folder, 'logo'), content);
    try {
      await use(join(folder, 'logo'));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('is the registered name alone until the operator sets one, part by part', async () => {
    const tenantId = await newTenant();
    expect(await get(tenantId)).toEqual({ name: 'Bank' });
    await json('tenant', 'set', tenantId, '--brand-color', '#0A7D4F');
    expect(await get(tenantId)).toEqual({ name: 'Bank', color: '#0a7d4f' });
    await json('tenant', 'set', tenantId, '--brand-name', 'My Bank', '--support-url', supportUrl);
    expect(await get(tenantId)).toEqual({ name: 'My Bank', color: '#0a7d4f', supportUrl });
    expect(await json('tenant', 'show', tenantId)).toMatchObject({
      name: 'Bank',
      brand: { name: 'My Bank' },
    });
  });

  test('has labels for the members of details, by their type', async () => {
    const tenantId = await newTenant();
    const detailLabels = {
      payment: { instructedAmount: { en: 'Amount', de: 'Betrag' }, 'creditor.iban': 'IBAN' },
    };
    await fileOf(JSON.stringify(detailLabels), async (file) => {
      await json('tenant', 'set', tenantId, '--detail-labels', file);
    });
    expect(await get(tenantId)).toEqual({ name: 'Bank', detailLabels });
  });

  test.each([
    ['{', /--detail-labels: .* is not accepted/],
    ['{"payment":{"amount":"\u202eAmount"}}', /payment\.amount: .*/],
  ])('refuses a file of labels like %.40s, with the reason', async (content, reason) => {
    const tenantId = await newTenant();
    await fileOf(content, async (file) => {
      const { code, err } = await omiOn(stack)(['tenant', 'set', tenantId, '--detail-labels', file]);
      expect([code === 0, err]).toEqual([false, expect.stringMatching(reason)]);
    });
    expect(await get(tenantId)).toEqual({ name: 'Bank' });
  });

  test.each([
    ['image/svg+xml; charset=utf-8', logo],
    ['image/png', pngOf(3, 2)],
  ])(
    'has a logo of the type %s that runs and loads nothing, until it is taken off',
    async (type, content) => {
      const tenantId = await newTenant();
      const logoUrl = `${pathOf(tenantId)}/logo`;
      expect((await fetch(logoUrl)).status).toBe(404);
      await fileOf(
        content,
        async (file) => void (await json('tenant', 'set', tenantId, '--brand-logo', file)),
      );
      expect(await get(tenantId)).toEqual({ name: 'Bank', logoUrl });
      const response = await fetch(logoUrl);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'max-age=300',
      });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
      expect(await json('tenant', 'set', tenantId, '--no-brand')).not.toHaveProperty('brand');
      expect(await get(tenantId)).toEqual({ name: 'Bank' });
      expect((await fetch(logoUrl)).status).toBe(404);
    },
  );

  test('is in the preview of an enrolment', async () => {
    const tenantId = await newTenant();
    const made = await json<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
    );
    const website = new WebsiteClient({ ...stack.file, ...made });
    const { code } = scan(succeeded(await website.startEnrolment(newUser()), 201).qr);
    const preview = async () =>
      succeeded(await postPreview(stack.file.baseUrl, { code }, undefined), 200) as { brand?: object };
    expect(await preview()).not.toHaveProperty('brand');
    await json('tenant', 'set', tenantId, '--brand-color', '#112233');
    expect((await preview()).brand).toEqual(await get(tenantId));
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'bank'])(
    'of an unknown tenant is a 404: %s',
    async (tenantId) => {
      for (const url of [pathOf(tenantId), `${pathOf(tenantId)}/logo`]) {
        const response = await fetch(url);
        expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
        expect(await response.json()).toMatchObject({ code: 'tenant-not-found' });
      }
    },
  );

  test('ends with its tenant: both are not found once it is deleted', async () => {
    const tenantId = await newTenant();
    await fileOf(logo, async (file) => void (await json('tenant', 'set', tenantId, '--brand-logo', file)));
    await json('tenant', 'delete', tenantId, '--yes');
    expect((await fetch(pathOf(tenantId))).status).toBe(404);
    expect((await fetch(`${pathOf(tenantId)}/logo`)).status).toBe(404);
  });

  test('is refused with the reason, and changes nothing', async () => {
    const tenantId = await newTenant();
    const set = async (...options: string[]) => await omiOn(stack)(['tenant', 'set', tenantId, ...options]);
    await fileOf(logo.replace('d=', 'onclick="alert(1)" d='), async (file) => {
      const { code, err } = await set('--brand-name', 'My Bank', '--brand-logo', file);
      expect([code, err]).toEqual([2, expect.stringContaining('onclick of <path>')]);
    });
    for (const [option, value, reason] of [
      ['--brand-color', 'red', 'a colour like'],
      ['--brand-color', '#0a7d4f80', 'a colour like'],
      ['--brand-name', 'My\u200bBank', 'U+200B'],
      ['--support-url', 'http://bank.example', 'https://'],
      ['--support-url', 'https://bank.example@evil.example', 'user name'],
      ['--support-url', `https://bank.example/${'a'.repeat(500)}`, '512 bytes'],
      ['--support-url', 'https:\\\\evil.example', 'URL'],
    ] as const)
      expect(await set(option, value)).toMatchObject({ code: 2, err: expect.stringContaining(reason) });
    expect(await set('--no-brand', '--brand-name', 'My Bank')).toMatchObject({ code: 2 });
    expect(await get(tenantId)).toEqual({ name: 'Bank' });
  });
}
