import { ArnFormat, Aws, Duration, Fn, RemovalPolicy, Stack, Tags, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type TableName, tables } from '../core/aws/tables.ts';
import { titled } from './constructs/published.ts';
import { allowKeysOfBackups, type CopiesProps, policyOfVault, vaultNameOf } from './copies-stack.ts';
import { addOutputs } from './outputs.ts';

/** A step of a whole day is none. */
const hoursOf: Readonly<Record<number, string>> = { 1: '*', 24: '0' };

const dynamodb = (action: string): string => `dynamodb:${action}`;

/** The plan by which AWS Backup backs up the tables of a stage, and copies each backup into its second region. */
export class BackupsStack extends Stack {
  constructor(scope: Construct, id: string, { config, copies }: CopiesProps) {
    const { stage, env, data } = config;
    super(scope, id, {
      ...{ stackName: id, env, terminationProtection: data.retain },
      description: 'OMI: backups of the tables, which are copied to a second region',
    });
    const removalPolicy = data.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const encryptionKey = new Key(this, 'Key', {
      ...{ enableKeyRotation: true, removalPolicy },
      description: 'OMI: encrypts backups of the tables',
    });
    const backupVault = new BackupVault(this, 'Vault', {
      encryptionKey,
      removalPolicy: policyOfVault(data.retain),
    });
    const elsewhere = this.formatArn({
      ...{ service: 'backup', resource: 'backup-vault', resourceName: vaultNameOf(stage) },
      ...{ region: copies.region, arnFormat: ArnFormat.COLON_RESOURCE_NAME },
    });
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: id });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'copies',
        backupVault,
        scheduleExpression: Schedule.cron({
          minute: '0',
          hour: hoursOf[copies.everyHours] ?? `0/${copies.everyHours}`,
        }),
        // The least that AWS Backup accepts.
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(2),
        deleteAfter: Duration.days(1),
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', elsewhere),
            deleteAfter: Duration.days(copies.keepDays),
          },
        ],
      }),
    );
    const names = Object.keys(tables) as TableName[];
    const tableArns = names.map((name) => Fn.getStackOutput(`omi-${stage}-data`, `${titled(name)}TableArn`));
    new BackupSelection(this, 'Tables', {
      backupPlan: plan,
      resources: tableArns.map((arn) => BackupResource.fromArn(arn)),
      role: this.#role(tableArns, [backupVault.backupVaultArn, elsewhere]),
      disableDefaultBackupPolicy: true,
    });
    addOutputs(this, {
      CopiesRegion: copies.region,
      CopiesVault: vaultNameOf(stage),
      CopiesEveryHours: String(copies.everyHours),
    });
    Tags.of(this).add('service', 'omi');
    Tags.of(this).add('stage', stage);
  }

  /**
   * What AWSBackupServiceRolePolicyForBackup allows for DynamoDB's advanced backups, on the tables and vaults of the stage alone: that
   * policy of AWS covers each database and file system of the account.
   */
  #role(tableArns: readonly string[], vaultArns: string[]): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    const allow = (actions: string[], resources: string[], conditions = {}): void =>
      void role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
    allow(['DescribeTable', 'StartAwsBackupJob', 'ListTagsOfResource'].map(dynamodb), [...tableArns]);
    allow(['backup:DescribeBackupVault', 'backup:CopyIntoBackupVault'], vaultArns);
    const points = `arn:${Aws.PARTITION}:backup:*:${Aws.ACCOUNT_ID}:recovery-point:*`;
    allow(['backup:CopyFromBackupVault', 'backup:TagResource'], [points]);
    allowKeysOfBackups(role, '*');
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:backup:*:<AWS::AccountId>:recovery-point:*]',
      reason:
        'AWS Backup names its backups itself, and nothing in the name tells the vault. They can be copied into the vaults of the stage alone.',
    });
    return role;
  }
}
