import { Aws, Fn, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnReplicaKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type TableName, tables } from '../core/aws/tables.ts';
import type { StageConfig } from './config.ts';
import { keyPolicyOf } from './constructs/keys.ts';
import { titled } from './constructs/published.ts';
import { keysOfStage } from './key-names.ts';
import { addOutputs } from './outputs.ts';

export type CopiesConfig = NonNullable<StageConfig['data']['copies']>;
export type CopiesProps = { config: StageConfig; copies: CopiesConfig };

/** The vault of the copies has a fixed name, because the other region must know it before it copies. */
export const vaultNameOf = (stage: string): string => `omi-${stage}-copies`;

/**
 * What a stage has in its second region: the vault with the copies of its tables, replicas of its keys, and the names of both. So
 * nothing of the first region is needed to restore it.
 */
export class CopiesStack extends Stack {
  constructor(scope: Construct, id: string, { config, copies: { region } }: CopiesProps) {
    const { stage, env, data } = config;
    super(scope, id, {
      ...{ stackName: id, env: { ...env, region }, terminationProtection: data.retain },
      description: 'OMI: copies of the tables and replicas of the keys, for the loss of another region',
    });
    const removalPolicy = data.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const encryptionKey = new Key(this, 'Key', {
      ...{ enableKeyRotation: true, removalPolicy },
      description: 'OMI: encrypts copies of the tables',
    });
    const backupVaultName = vaultNameOf(stage);
    // It is deleted if its creation fails, or the next attempt would find the name taken.
    const named = data.retain ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    new BackupVault(this, 'Vault', { backupVaultName, encryptionKey, removalPolicy: named });
    const ofData = (output: string): string => Fn.getStackOutput(`omi-${stage}-data`, output, env.region);
    for (const { id: name, use } of keysOfStage(config)) {
      const replica = new CfnReplicaKey(this, name, {
        description: `OMI: a replica of the key ${name} in ${env.region}`,
        primaryKeyArn: ofData(`${name}KeyArn`),
        keyPolicy: keyPolicyOf(stage, use),
        pendingWindowInDays: 7,
      });
      replica.applyRemovalPolicy(removalPolicy);
      addOutputs(this, { [`${name}KeyId`]: replica.ref });
    }
    const names = Object.keys(tables) as TableName[];
    const tableOutputs = names.map((name) => `${titled(name)}Table`);
    addOutputs(this, {
      LostRegion: env.region,
      CopiesVault: backupVaultName,
      RestoreRoleArn: this.#restoringRole(stage, encryptionKey).roleArn,
      WebPushSecretArn: ofData('WebPushSecretArn'),
      ...Object.fromEntries(tableOutputs.map((output) => [output, ofData(output)])),
    });
    Tags.of(this).add('service', 'omi');
    Tags.of(this).add('stage', stage);
  }

  /** What AWSBackupServiceRolePolicyForRestores allows for DynamoDB, on the tables of the stage alone. */
  #restoringRole(stage: string, key: Key): Role {
    const role = new Role(this, 'Restore', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    const own = `table/omi-${stage}-*`;
    role.addToPolicy(
      new PolicyStatement({
        actions: [
          ...['DescribeTable', 'RestoreTableFromAwsBackup', 'Scan', 'Query'],
          ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
        ].map((action) => `dynamodb:${action}`),
        resources: [`arn:${Aws.PARTITION}:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:${own}`],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:DescribeKey', 'kms:Decrypt', 'kms:GenerateDataKey'],
        resources: [key.keyArn],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:CreateGrant'],
        resources: [key.keyArn],
        conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
      }),
    );
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:${own}]`,
      reason: 'The names of restored tables contain the moment of the copies.',
    });
    return role;
  }
}
