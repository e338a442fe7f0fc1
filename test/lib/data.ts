import { describe, expect, test } from '@jest/globals';
import { tables } from '../../core/aws/tables.ts';
import { factsOf, lambdaNames } from '../../lambdas/registered.ts';
import { settledAfterMs } from '../../core/export/ledger/hour.ts';
import { seconds } from '../../core/kernel/time.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

const tablesOf = (stage: string) => resourcesOf(synthesize(stage), 'AWS::DynamoDB::Table');

describe('every table', () => {
  const production = tablesOf('production');

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

  test('is protected in production from deletion and replacement', () => {
    for (const [, table] of production) {
      expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
      expect(table.Properties['DeletionProtectionEnabled']).toBe(true);
    }
  });
});

const tableName = 'omi-dev-data-devices-at-20260301t083000z';
/** With settings of two tables, which have nothing to do with each other. */
const changed = synthesize('dev', {
  data: { tables: { devices: tableName }, warmThroughput: { events: { writes: 20_000 } } },
});

test('a table and its index are warmed by a setting, and no other table', () => {
  const warmed = resourcesOf(changed, 'AWS::DynamoDB::Table').filter(
    ([, { Properties }]) => 'WarmThroughput' in Properties,
  );
  const units = { WriteUnitsPerSecond: 20_000 };
  expect(warmed.map(([, { Properties }]) => Properties)).toEqual([
    expect.objectContaining({
      WarmThroughput: units,
      GlobalSecondaryIndexes: [expect.objectContaining({ WarmThroughput: units })],
    }),
  ]);
});

describe('a table that was restored', () => {
  const restored = resourcesOf(changed, 'AWS::DynamoDB::Table');
  const named = restored.filter(([, { Properties }]) => 'TableName' in Properties);

  test('takes the place of the one before, and is as CloudFormation imports it', () => {
    expect(restored).toHaveLength(Object.keys(tables).length);
    const [[id, table] = []] = named;
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { TableName: tableName, DeletionProtectionEnabled: true },
    });
    expect(tablesOf('dev').map(([before]) => before)).not.toContain(id);
  });

  test('is the one that other stacks use', () => {
    const { Outputs } = changed.toJSON() as { Outputs: Record<string, { Value: unknown }> };
    expect(Outputs['DevicesTable']?.Value).toEqual({ Ref: named[0]?.[0] });
  });
});

test('a stage may have its own key, which rotates and is retained in production', () => {
  const template = synthesize('production', { data: { customerManagedKey: true } });
  const keyId = 'DataKey5F086070';
  const key = resourcesOf(template, 'AWS::KMS::Key').find(([id]) => id === keyId)?.[1];
  expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
  expect((key?.Properties['KeyPolicy'] as { Statement: unknown[] }).Statement).toContainEqual({
    Effect: 'Allow',
    Principal: { AWS: '*' },
    Action: expect.not.arrayContaining(['kms:*']),
    Resource: '*',
    Condition: {
      StringEquals: {
        'kms:CallerAccount': { Ref: 'AWS::AccountId' },
        'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
      },
    },
  });
  for (const [, { Properties }] of resourcesOf(template, 'AWS::DynamoDB::Table')) {
    expect(Properties['SSESpecification']).toMatchObject({
      SSEType: 'KMS',
      KMSMasterKeyId: { 'Fn::GetAtt': [keyId, 'Arn'] },
    });
  }
});

/** An hour of the ledger is final a minute after its end, because no Lambda still commits an event of it by then. */
test('a Lambda that records events ends long before the ledger closes an hour', () => {
  const limits = new Map(
    resourcesOf(synthesize(), 'AWS::Lambda::Function').map(([, { Properties }]) => [
      Properties['FunctionName'],
      Number(Properties['Timeout']),
    ]),
  );
  const recording = lambdaNames.filter((name) => factsOf(name).tables?.events?.includes('PutItem') === true);
  expect(recording.length).toBeGreaterThan(10);
  for (const name of recording)
    expect(limits.get(`omi-dev-${name}`)).toBeLessThanOrEqual(settledAfterMs / seconds / 2);
});
