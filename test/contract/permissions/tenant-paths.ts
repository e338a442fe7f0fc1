import type { TestStack } from '../../support/stack.ts';
import { expect } from '@jest/globals';
import { callAs } from '../exports-api/tenant-console.ts';

/** What tenants do with their own export. */
async function listed({ website }: TestStack): Promise<void> {
  expect(await callAs(website, { method: 'GET', path: '/omi/exports' })).toMatchObject({ status: 200 });
}

export const tenantPaths = [listed];
