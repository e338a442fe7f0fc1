import { describe, expect, test } from '@jest/globals';
import { tables } from '../../core/aws/tables.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

const tablesOf = (stage: string, settings?: object) =>
  resourcesOf(synthesize(stage, settings), 'AWS::DynamoDB::Table');

describe('every table', () => {
  const production = tablesOf('production');

  test('of the definitions exists', () => {
    expect(production).toHaveLength(Object.keys(tables).length);
  });

  test.each(['dev', 'production'])(
    'is encrypted with a KMS key and can be restored to any second (%s)',
    (stage) => {
      for (const [, { Properties }] of tablesOf(stage)) {
        expect(Properties).toMatchObject({
          SSESpecification: { SSEEnabled: true },
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          BillingMode: 'PAY_PER_REQUEST',
        });
      }
    },
  );

  test('survives a mistake in production: neither a deletion nor a replacement ends it', () => {
    for (const [, table] of production) {
      expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect(table.Properties['DeletionProtectionEnabled']).toBe(true);
    }
  });

  test('goes with its stack elsewhere', () => {
    for (const [, table] of tablesOf('dev')) expect(table.DeletionPolicy).toBe('Delete');
  });
});

test('a stage may have a key of its own, which rotates and outlives the stack in production', () => {
  const template = synthesize('production', { data: { customerManagedKey: true } });
  const [[keyId, key] = ['', undefined], ...others] = resourcesOf(template, 'AWS::KMS::Key');
  expect(others).toEqual([]);
  expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
  for (const [, { Properties }] of resourcesOf(template, 'AWS::DynamoDB::Table')) {
    expect(Properties['SSESpecification']).toMatchObject({
      SSEType: 'KMS',
      KMSMasterKeyId: { 'Fn::GetAtt': [keyId, 'Arn'] },
    });
  }
});

test('items end by the attribute that the stores write, and only the outbox streams', () => {
  const template = synthesize();
  template.resourcePropertiesCountIs(
    'AWS::DynamoDB::Table',
    { TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } },
    Object.values(tables).filter(({ expires }) => expires).length,
  );
  template.resourcePropertiesCountIs(
    'AWS::DynamoDB::Table',
    { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } },
    1,
  );
});

/** A changed id makes CloudFormation create an empty resource beside the one with the data, or in its place. */
test('what holds data keeps its logical id', () => {
  const template = synthesize('production', { data: { customerManagedKey: true } });
  const ids = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool', 'AWS::KMS::Key'].flatMap((type) =>
    resourcesOf(template, type).map(([id]) => id),
  );
  expect(ids).toEqual([
    'DatadevicesB8CC4F75',
    'DataconfirmationsBD8C26E8',
    'Dataenrolments0E674491',
    'Datatenants4E2E099D',
    'Dataevents7EFC54AE',
    'IdentityUserPool96FE3B9B',
    'DataKey5F086070',
  ]);
});
