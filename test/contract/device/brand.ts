import { expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonOn } from '../../cli/omi.ts';
import { expectSchema } from '../../support/openapi.ts';
import { pngOf } from '../../support/png.ts';
import type { TestStack } from '../../support/stack.ts';

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
}
