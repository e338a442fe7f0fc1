import { Aws, type CfnCondition, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { accountRootOf } from '../../core/export/kinds/policies/arn.ts';
import { keyAdministration } from '../../core/export/kinds/policies/key-policies.ts';
import { policy, type Statement } from '../../core/export/kinds/policies/policy-document.ts';

/** The account in which the template is deployed. */
export const ownAccount = { partition: Aws.PARTITION, account: Aws.ACCOUNT_ID };

/**
 * A symmetric key for encryption and decryption, with key material of KMS. It is retained when the stack is deleted, because
 * nobody could read the stored events without it.
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
