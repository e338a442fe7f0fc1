/**
 * An update replaces permissions, variables and resources minutes before the last call of a Lambda's version before it. So it must
 * take nothing away that this version uses.
 */
import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { bothKeys, configurationChanges } from './configuration-changes.ts';
import { constructsOf, listed, statementsFor } from './policies.ts';
import { everyPlatform } from './settings.ts';
import { environmentsOf, resourcesOf, synthesisOf, synthesize } from './synthesize.ts';

/**
 * What a version of a Lambda was given: it keeps its variables, and has the role of its function. A secret's value that
 * CloudFormation has put into a variable stays there.
 */
type Given = { variables: string[]; permissions: string[] };

/** A value of a template, with the constructs in place of CloudFormation's ids, which are no resources of the value. */
function named(value: unknown, constructs: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, constructs));
  if (typeof value !== 'object' || value === null) return constructs.get(String(value)) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, constructs)]));
}

function givenIn(template: Template): Map<string, Given> {
  const constructs = constructsOf(template);
  const text = (value: unknown): string => JSON.stringify(named(value, constructs));
  return new Map(
    [...environmentsOf(template)].map(([lambda, variables]) => [
      lambda,
      {
        variables: Object.values(variables)
          .map(text)
          .filter((value) => /"(Ref|Fn::GetAtt)"/.test(value) && !value.includes('{{resolve:')),
        permissions: statementsFor(lambda, template).flatMap(({ Action, Resource, ...rest }) =>
          listed(Resource).flatMap((resource) =>
            listed(Action).map((action) => text({ action, resource, ...rest })),
          ),
        ),
      },
    ]),
  );
}

/** The constructs that a version may be calling: what has data, and what signs or encrypts. */
const used = [
  ...['AWS::DynamoDB::Table', 'AWS::SQS::Queue', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'],
  ...['AWS::S3::Bucket', 'AWS::IAM::Role', 'AWS::Lambda::Function', 'Custom::PlatformApplication'],
];
const usedIn = (template: Template): string[] => {
  const constructs = constructsOf(template);
  return used.flatMap((type) => resourcesOf(template, type).map(([id]) => `${type} ${constructs.get(id)}`));
};

/** The indexes of each table. */
const indexesIn = (template: Template): string[] =>
  resourcesOf(template, 'AWS::DynamoDB::Table').flatMap(([id, { Properties }]) =>
    ((Properties['GlobalSecondaryIndexes'] ?? []) as { IndexName: string }[]).map(
      ({ IndexName }) => `${id} ${IndexName}`,
    ),
  );

/** What the policies of keys let whom do. A role needs it besides its own policies. A key that goes from the stack keeps its policy. */
function keyUsesIn(template: Template, kept: Template): string[] {
  type KeyStatement = { Action: string | string[]; Condition?: Record<string, Record<string, unknown>> };
  const constructs = constructsOf(template);
  const stays = new Set(resourcesOf(kept, 'AWS::KMS::Key').map(([id]) => id));
  return resourcesOf(template, 'AWS::KMS::Key')
    .filter(([id]) => stays.has(id))
    .flatMap(([id, { Properties }]) =>
      (Properties['KeyPolicy'] as { Statement: KeyStatement[] }).Statement.flatMap(({ Action, Condition }) =>
        listed(Action).flatMap((action) =>
          listed(Condition?.['ArnEquals']?.['aws:PrincipalArn'] ?? Condition ?? 'whoever IAM allows').map(
            (who) => `${constructs.get(id)}: ${action} by ${JSON.stringify(who)}`,
          ),
        ),
      ),
    );
}

/** A version uses the key that its variables name, and of all other resources what it may use. */
const isUsed = (permission: string, { variables }: Given): boolean => {
  const key = /"(Keys\/\w+)"/.exec(permission)?.[1];
  return key === undefined || variables.some((value) => value.includes(`"${key}"`));
};

const without = (before: readonly string[], after: readonly string[]): string[] =>
  before.filter((one) => !after.includes(one));

/** What the update takes away from the versions before it. */
function taken(before: Template, after: Template): string[] {
  const [old, next] = [givenIn(before), givenIn(after)];
  // A Lambda that goes with its stack or its feature runs no more.
  const kept = [...old].filter(([lambda]) => next.has(lambda));
  return [
    ...kept.flatMap(([lambda, given]) =>
      without(given.permissions, next.get(lambda)?.permissions ?? [])
        .filter((one) => isUsed(one, given))
        .map((one) => `${lambda}: ${one}`),
    ),
    ...without(usedIn(before), usedIn(after)).filter((one) =>
      kept.some(([, { variables }]) => variables.some((value) => value.includes(`"${one.split(' ')[1]}"`))),
    ),
    ...without(indexesIn(before), indexesIn(after)),
    ...without(keyUsesIn(before, after), keyUsesIn(after, after)),
  ];
}

/** The exports that stacks use before the update and that the data's stack no longer has. CloudFormation refuses such an update. */
function refused(before: object, after: object): string[] {
  const textOf = (settings: object, stack: string): string =>
    JSON.stringify(synthesisOf({ stage: 'production', settings }).templateOf(stack).toJSON());
  const imported = ['api', 'devices', 'export', 'signals'].flatMap((stack) =>
    [...textOf(before, stack).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name),
  );
  const kept = textOf(after, 'data');
  return [...new Set(imported)].filter((name) => !kept.includes(`"Export":{"Name":"${name}"}`));
}

/** By mistake, while they sign. */
const firstKeysGone = { signingKeys: ['2'], receiptKeys: ['2'], signalKeys: ['2'] };

describe('an update', () => {
  test.each(configurationChanges)('takes nothing from the versions before it when %s', (_, before, after) => {
    expect(taken(synthesize('production', before), synthesize('production', after))).toEqual([]);
    expect(refused(before, after)).toEqual([]);
  });

  test('is reported if it takes something', () => {
    const [before, after] = [synthesize('production'), synthesize('production', firstKeysGone)];
    expect(taken(before, after)).toEqual([
      expect.stringMatching(/^oauth-token: .*kms:Sign.*Signing1/),
      expect.stringMatching(/^enrol-device: .*kms:Sign.*Receipts1/),
      expect.stringMatching(/^export-events: .*kms:Sign.*Signals1/),
      expect.stringMatching(/^redeliver-events: .*kms:Sign.*Signals1/),
      expect.stringMatching(/^ssf-jwks: .*kms:GetPublicKey.*Signals1/),
      ...['Signing1', 'Receipts1', 'Signals1'].map((key) => `AWS::KMS::Key Keys/${key}`),
    ]);
    const policy = structuredClone(before.toJSON()) as {
      Resources: Record<string, { Properties: { KeyPolicy?: { Statement: object[] } } }>;
    };
    for (const { Properties } of Object.values(policy.Resources)) Properties.KeyPolicy?.Statement.splice(1);
    expect(taken(before, Template.fromJSON(policy))).toContainEqual(
      expect.stringMatching(/^Keys\/Signing1: kms:Sign by .*oauth-token/),
    );
    const [apns, none] = [synthesize('production', everyPlatform), synthesize('production')];
    expect(taken(apns, none)).not.toEqual([]);
  });
});

test.each([
  ['the only one', {}],
  ['the first of two', bothKeys],
])('the key that signs cannot be removed, not even by mistake (%s of each kind)', (_, before) => {
  const keys = ['Receipts1', 'Signals1', 'Signing1'];
  expect(refused(before, firstKeysGone).toSorted()).toEqual(
    keys.map((key) => `omi-production-data-${key}KeyId`),
  );
});
