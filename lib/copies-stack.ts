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

/** A vault has a fixed name. It is deleted if its creation fails, or the next attempt would find the name taken. */
export const policyOfVault = (isRetained: boolean): RemovalPolicy =>
  isRetained ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Lets AWS Backup and DynamoDB use the keys of vaults and tables for the role. */
export function allowKeysOfBackups(role: Role, region: string): void {
  const keys = `arn:${Aws.PARTITION}:kms:${region}:${Aws.ACCOUNT_ID}:key/*`;
  const allow = (actions: string[], conditions = {}): void =>
    void role.addToPolicy(new PolicyStatement({ actions, resources: [keys], conditions }));
  allow(['kms:DescribeKey']);
  allow(['kms:Decrypt', 'kms:GenerateDataKey'], {
    StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 'backup.*.amazonaws.com'] },
  });
  allow(['kms:CreateGrant'], { Bool: { 'kms:GrantIsForAWSResource': 'true' } });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:${region === '*' ? '*' : '<AWS::Region>'}:<AWS::AccountId>:key/*]`,
    reason: 'The keys of the vaults, and of the tables. Only for DynamoDB and AWS Backup, by the conditions.',
  });
}

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
    new BackupVault(this, 'Vault', {
      ...{ backupVaultName, encryptionKey },
      removalPolicy: policyOfVault(data.retain),
    });
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
      RestoreRoleArn: this.#restoringRole(stage).roleArn,
      WebPushSecretArn: ofData('WebPushSecretArn'),
      ...Object.fromEntries(tableOutputs.map((output) => [output, ofData(output)])),
    });
    Tags.of(this).add('service', 'omi');
    Tags.of(this).add('stage', stage);
  }

  /** What AWSBackupServiceRolePolicyForRestores allows for DynamoDB, on the tables of the stage alone. */
  #restoringRole(stage: string): Role {
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
    // Not that of this stack alone: a vault that was adopted keeps the key with which it was made.
    allowKeysOfBackups(role, Aws.REGION);
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:${own}]`,
      reason: 'The names of restored tables contain the moment of the copies.',
    });
    return role;
  }
}
