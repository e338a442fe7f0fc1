import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keptIn, type Kept } from './kept.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production', { data: { customerManagedKey: true } });
const file = join(import.meta.dirname, 'deployed-resources.json');
const deployed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Kept>;

describe('a deployment over an earlier version', () => {
  test.each(Object.entries(deployed))('keeps %s', (id, kept) => {
    expect(keptIn(template)[id]).toEqual(kept);
  });

  test('finds every retained resource in deployed-resources.json, where new ones must be added', () => {
    expect(keptIn(template)).toEqual(deployed);
  });
});

test('exactly these resources are retained in production', () => {
  const ids = Object.keys(deployed);
  const resources = (template.toJSON() as { Resources: Record<string, { DeletionPolicy?: string }> })
    .Resources;
  const outlived = ids.filter((id) => resources[id]?.DeletionPolicy?.startsWith('Retain'));
  // The API, its names and the pool's parts have no data, so the stack can create them again.
  const remade = /^AWS::(ApiGatewayV2::Api|Cognito::UserPool(ResourceServer|Domain))$/;
  // Nor has the page for tenants. An update must not replace it, because people know its address.
  const emptyPage = /^(Bucket|Distribution)[0-9A-F]{8}$/;
  const lost = ids.filter((id) => !outlived.includes(id) && !emptyPage.test(id));
  expect(lost.filter((id) => !remade.test(deployed[id]?.type ?? ''))).toEqual([]);
});

test('a resource with a fixed name is deleted if the first deployment fails, or the next would find the name taken', () => {
  const resources = resourcesOf(template, 'AWS::IAM::Role').concat(
    resourcesOf(template, 'AWS::IAM::ManagedPolicy'),
  );
  const named = resources.filter(
    ([, { Properties }]) => 'RoleName' in Properties || 'ManagedPolicyName' in Properties,
  );
  expect(named.length).toBeGreaterThan(3);
  for (const [id, { DeletionPolicy }] of named) expect([id, DeletionPolicy]).not.toEqual([id, 'Retain']);
});
