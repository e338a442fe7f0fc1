/** A stage with copies of its tables in a second region, and one that was restored there. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from '@jest/globals';
import { tables } from '../../core/aws/tables.ts';
import { listed, type Statement } from './policies.ts';
import { BackupsStack } from '../../lib/backups-stack.ts';
import {
  configIn,
  configOf,
  environmentsOf,
  newApp,
  resourcesOf,
  synthesisOf,
  synthesize,
} from './synthesize.ts';
import { contextOf } from './settings.ts';

const here = 'eu-central-1';
const there = 'eu-west-1';
const env = { region: here };
const withCopies = { env, data: { copies: { region: there, everyHours: 2, keepDays: 5 } } };

const { assembly } = synthesisOf({ stage: 'production', settings: withCopies });
const templateOf = (name: string): Template =>
  Template.fromJSON(assembly.getStackByName(`omi-production-${name}`).template as Record<string, unknown>);
const [backups, copies, data] = ['backups', 'copies', 'data'].map(templateOf) as [
  Template,
  Template,
  Template,
];
const tableNames = Object.keys(tables);
const ofData = (OutputName: string, Region?: string) => ({
  'Fn::GetStackOutput': { StackName: 'omi-production-data', OutputName, ...(Region && { Region }) },
});
const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const propertiesOf = (template: Template, type: string) =>
  resourcesOf(template, type)[0]?.[1].Properties ?? {};

describe('without the setting', () => {
  test('a stage has no backups of AWS Backup, and no copy of its secret', () => {
    const { assembly: plain } = synthesisOf({ stage: 'production', settings: { env } });
    expect(plain.stacks.map(({ stackName }) => stackName)).not.toContain('omi-production-copies');
    expect(JSON.stringify(plain.stacks.map(({ template }) => template as unknown))).not.toMatch(
      /AWS::Backup|ReplicaRegions/,
    );
  });
});

describe('the backups', () => {
  const plan = propertiesOf(backups, 'AWS::Backup::BackupPlan')['BackupPlan'] as {
    BackupPlanRule: { CopyActions: { DestinationBackupVaultArn: unknown }[] }[];
  };

  test('are made every so many hours, kept for a day, and copied into the second region', () => {
    expect(plan.BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: 'cron(0 0/2 * * ? *)',
        Lifecycle: { DeleteAfterDays: 1 },
        CopyActions: [{ Lifecycle: { DeleteAfterDays: 5 } }],
      },
    ]);
    expect(JSON.stringify(plan.BackupPlanRule[0]?.CopyActions[0]?.DestinationBackupVaultArn)).toContain(
      `:backup:${there}:`,
    );
  });

  test.each([
    [1, 'cron(0 * * * ? *)'],
    [12, 'cron(0 0/12 * * ? *)'],
    [24, 'cron(0 0 * * ? *)'],
  ])('begin on the hour: each %d hours are %s', (everyHours, expression) => {
    const app = newApp(contextOf('dev', { env, data: { copies: { region: there, everyHours } } }));
    const config = configIn(app);
    if (!config.data.copies) throw new Error('The stage has no copies.');
    const stack = new BackupsStack(app, 'backups', { config, copies: config.data.copies });
    expect(JSON.stringify(Template.fromStack(stack).toJSON())).toContain(expression);
  });

  test('are those of exactly the tables of the stage', () => {
    const { Resources } = propertiesOf(backups, 'AWS::Backup::BackupSelection')['BackupSelection'] as {
      Resources: unknown[];
    };
    expect(Resources).toEqual(tableNames.map((name) => ofData(`${titled(name)}TableArn`)));
  });

  test('are encrypted with a key of the stage in both regions, which stays with them', () => {
    for (const template of [backups, copies]) {
      const [[keyId, key] = []] = resourcesOf(template, 'AWS::KMS::Key');
      expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
      const [[, vault] = []] = resourcesOf(template, 'AWS::Backup::BackupVault');
      expect(vault).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: { EncryptionKeyArn: { 'Fn::GetAtt': [keyId, 'Arn'] } },
      });
    }
  });

  test('are made by a role that reads no other table, and has no policy of AWS', () => {
    const [[, role] = []] = resourcesOf(backups, 'AWS::IAM::Role');
    expect(role?.Properties).not.toHaveProperty('ManagedPolicyArns');
    const { Statement: statements } = propertiesOf(backups, 'AWS::IAM::Policy')['PolicyDocument'] as {
      Statement: Statement[];
    };
    const starting = statements.filter(({ Action }) => listed(Action).includes('dynamodb:StartAwsBackupJob'));
    const allowed = starting.flatMap(({ Resource }) => Resource);
    expect(allowed).toHaveLength(tableNames.length);
    expect(allowed).toEqual(
      expect.arrayContaining(tableNames.map((name) => ofData(`${titled(name)}TableArn`))),
    );
    const actions = statements.flatMap(({ Action }) => listed(Action));
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });
});

describe('the second region', () => {
  test('is deployed after the data, and before the backups that are copied there', () => {
    const dependenciesOf = (name: string) =>
      assembly.getStackByName(`omi-production-${name}`).dependencies.map(({ id }) => id);
    expect(assembly.getStackByName('omi-production-copies').environment.region).toBe(there);
    expect(assembly.getStackByName('omi-production-backups').environment.region).toBe(here);
    expect(dependenciesOf('copies')).toContain('omi-production-data');
    expect(dependenciesOf('backups')).toContain('omi-production-copies');
  });

  test('has a replica of each key, with the policy of the key for the roles of its own region', () => {
    const replicas = resourcesOf(copies, 'AWS::KMS::ReplicaKey');
    const keys = resourcesOf(data, 'AWS::KMS::Key');
    expect(replicas).toHaveLength(keys.length);
    for (const [id, { Properties, DeletionPolicy }] of replicas) {
      expect(DeletionPolicy).toBe('Retain');
      expect(Properties['PrimaryKeyArn']).toEqual(ofData(`${id}KeyArn`, here));
      const key = keys.find(([its]) => its.startsWith(`Keys${id}`))?.[1];
      const text = JSON.stringify(key?.Properties['KeyPolicy']).replaceAll(here, there);
      expect(JSON.stringify(Properties['KeyPolicy'])).toBe(text);
    }
  });

  test('has a copy of the key of web pushes', () => {
    expect(propertiesOf(data, 'AWS::SecretsManager::Secret')['ReplicaRegions']).toEqual([{ Region: there }]);
  });

  test('knows all names that a restore needs, because the first region may not answer then', () => {
    const { Outputs } = copies.toJSON() as { Outputs: Record<string, { Value: unknown }> };
    for (const name of tableNames)
      expect(Outputs[`${titled(name)}Table`]?.Value).toEqual(ofData(`${titled(name)}Table`, here));
    expect(Outputs).toMatchObject({
      LostRegion: { Value: here },
      CopiesVault: { Value: 'omi-production-copies' },
      SecretsKeyId: { Value: { Ref: 'Secrets' } },
      Signing1KeyId: { Value: { Ref: 'Signing1' } },
    });
  });
});

describe('a stage that was restored in its second region', () => {
  const id = `mrk-${'0'.repeat(32)}`;
  const restored = synthesize('production', { data: { keys: { Secrets: id, Signing1: id } } });

  test('uses the replicas in place of new keys', () => {
    const names = resourcesOf(restored, 'AWS::KMS::Key').map(([name]) => name.replace(/\w{8}$/, ''));
    expect(names).toEqual(['KeysReceipts1', 'KeysSignals1', 'KeysLog1']);
    const variables = [...environmentsOf(restored).values()].flatMap(
      ({ SECRETS_KEY_ID = [] }) => SECRETS_KEY_ID,
    );
    expect(new Set(variables)).toEqual(new Set([id]));
  });
});

describe('the settings of data.copies', () => {
  test.each([
    [
      'a stage without a region',
      { data: { copies: { region: there } } },
      /data\.copies requires env\.region/,
    ],
    [
      'its own region',
      { env, data: { copies: { region: here } } },
      /expected another region than eu-central-1/,
    ],
    ['a text that is no region', { env, data: { copies: { region: 'Ireland' } } }, /data\.copies\.region/],
    [
      'copies that end too soon',
      { env, data: { copies: { region: there, keepDays: 1 } } },
      /at least 2 days/,
    ],
    [
      'a time that does not divide a day',
      { env, data: { copies: { region: there, everyHours: 5 } } },
      /hours/,
    ],
    [
      'a key that the stage does not have',
      { data: { keys: { Signing9: `mrk-${'0'.repeat(32)}` } } },
      /Signing9/,
    ],
    ['an id that no replica has', { data: { keys: { Secrets: 'alias/omi' } } }, /multi-Region key/],
  ])('reject %s', (_, settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });
});
