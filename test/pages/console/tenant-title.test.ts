import { expect, test } from '@jest/globals';
import { tenantTitle } from '../../../pages/console/src/text/tenant-title.ts';

test.each([
  ['one', 'Nordbank (one)'],
  ['two', 'Nordbank (two)'],
  ['three', 'Sonnenkasse'],
  ['unknown', 'unknown'],
])('the tenant %s is called so that no two have one title', (tenantId, title) => {
  const tenants = [
    { tenantId: 'one', name: 'Nordbank' },
    { tenantId: 'two', name: 'Nordbank' },
    { tenantId: 'three', name: 'Sonnenkasse' },
  ];
  expect(tenantTitle(tenants, tenantId)).toBe(title);
});
