import { Aws } from 'aws-cdk-lib';

/**
 * Where a stack is, as CloudFormation knows it. With it an ARN reads the same in the templates of a stage that names its account and
 * region and of one that does not, as rules about wildcards need it.
 */
export const ownPlace = { partition: Aws.PARTITION, region: Aws.REGION, account: Aws.ACCOUNT_ID };
