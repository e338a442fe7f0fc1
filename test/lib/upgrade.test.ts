import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keptIn, type Kept } from './kept.ts';
import { synthesize } from './synthesize.ts';

const template = synthesize('production', { data: { customerManagedKey: true } });
const file = join(import.meta.dirname, 'deployed-resources.json');
const deployed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Kept>;

describe('a deployment over an earlier version', () => {
  test.each(Object.entries(deployed))('keeps %s', (id, kept) => {
    expect(keptIn(template)[id]).toEqual(kept);
  });

  test('finds everything that is kept in the list: what is new here must be added to deployed-resources.json', () => {
    expect(keptIn(template)).toEqual(deployed);
  });
});

test('what is kept outlives the stack in production', () => {
  const ids = Object.keys(deployed);
  const resources = (template.toJSON() as { Resources: Record<string, { DeletionPolicy?: string }> })
    .Resources;
  const outlived = ids.filter((id) => resources[id]?.DeletionPolicy === 'Retain');
  // The API, its names and the pool's parts hold nothing that cannot be made again from the stack.
  const remade = /^AWS::(ApiGatewayV2::Api|Cognito::UserPool(ResourceServer|Domain))$/;
  expect(ids.filter((id) => !outlived.includes(id) && !remade.test(deployed[id]?.type ?? ''))).toEqual([]);
});
