import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keptIn, type Kept } from './kept.ts';
import { everyPlatform } from './settings.ts';
import { type Resource, synthesize } from './synthesize.ts';

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
  // The API, its names, the pool's parts and the boundary have no data, so the stack can create them again.
  const remade =
    /^AWS::(ApiGatewayV2::Api|Cognito::UserPool(ResourceServer|Domain|Group)|IAM::ManagedPolicy)$/;
  // Nor have the pages for tenants and for the help desk. An update must not replace them, because people know their addresses.
  const emptyPage = /^(HelpDesk)?(Bucket|Distribution)[0-9A-F]{8}$/;
  const lost = ids.filter((id) => !outlived.includes(id) && !emptyPage.test(id));
  expect(lost.filter((id) => !remade.test(deployed[id]?.type ?? ''))).toEqual([]);
});

describe('what outlives its stack under a fixed name', () => {
  /**
   * Types that CloudFormation knows by a name of the template, so that a deployment with `--import-existing-resources` adopts them: the
   * property is the type's primary identifier in https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/.
   */
  const adoptable: Record<string, string> = { 'AWS::IAM::Role': 'RoleName' };

  const env = { account: '111122223333', region: 'eu-central-1' };
  const everything = synthesize('production', { env, ...everyPlatform, data: { customerManagedKey: true } });
  const outliving = Object.entries(
    (everything.toJSON() as { Resources: Record<string, Resource> }).Resources,
  ).filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'));
  /** Names that the template gives, and no other resource of it. Custom resources have properties of our own, in lower case. */
  const namesOf = ({ Properties = {} }: Partial<Resource>): string[] =>
    Object.entries(Properties)
      .filter(([name, value]) => /^[A-Z]\w*Name$/.test(name) && !JSON.stringify(value).startsWith('{"Ref":"'))
      .map(([name]) => name);
  const named = outliving.filter(([, resource]) => namesOf(resource).length > 0);

  test('can be adopted by the next deployment, if the stage names its region', () => {
    expect(named.length).toBeGreaterThan(2);
    for (const [id, resource] of named)
      expect([id, namesOf(resource)]).toEqual([id, [adoptable[resource.Type]]]);
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html: no functions in the name.
    for (const [id, { Type, Properties }] of named)
      expect([id, typeof Properties[adoptable[Type] ?? '']]).toEqual([id, 'string']);
  });

  test('is deleted if the first deployment fails, because the next would find the name taken', () => {
    for (const [id, { DeletionPolicy }] of named)
      expect([id, DeletionPolicy]).toEqual([id, 'RetainExceptOnCreate']);
  });
});
