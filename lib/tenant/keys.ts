import { Aws, type CfnCondition, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { accountRootOf } from '../../core/export/verification/tenant-policies/arn.ts';
import { keyAdministration } from '../../core/export/verification/tenant-policies/key-policies.ts';
import { policy, type Statement } from '../../core/export/verification/tenant-policies/policy-document.ts';

/** The account that the template is deployed in. */
export const ownAccount = { partition: Aws.PARTITION, account: Aws.ACCOUNT_ID };

/**
 * A key as the interface asks for: symmetric, to encrypt and decrypt, of material that KMS made. It outlives the stack,
 * because nobody could read without it what was written.
 */
export function addKey(
  stack: Stack,
  { description, grant, condition }: { description: string; grant: Statement; condition?: CfnCondition },
): CfnKey {
  const key = new CfnKey(stack, 'Key', {
    description,
    keySpec: 'SYMMETRIC_DEFAULT',
    keyUsage: 'ENCRYPT_DECRYPT',
    origin: 'AWS_KMS',
    enableKeyRotation: true,
    keyPolicy: policy(keyAdministration(accountRootOf(ownAccount)), grant),
  });
  key.applyRemovalPolicy(RemovalPolicy.RETAIN);
  if (condition) key.cfnOptions.condition = condition;
  return key;
}
