import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { deliveryBoundaryNameOf } from '../../core/export/kinds/policies/operator-roles.ts';
import type { Deployment } from './deployment.ts';

/** The account of the service, and the boundary for the delivery roles in it. */
export type OperatorAccount = {
  stage: string;
  region: string;
  account: string;
  partition: string;
  boundaryArn: string;
};

/** The service runs in the account of these credentials. */
export async function operatorOf({
  clients,
  stage,
  region,
}: Pick<Deployment, 'clients' | 'stage' | 'region'>): Promise<OperatorAccount> {
  const { Account: account = '', Arn: arn = '' } = await clients.sts.send(new GetCallerIdentityCommand({}));
  const partition = arn.split(':')[1] ?? 'aws';
  const boundaryArn = `arn:${partition}:iam::${account}:policy/${deliveryBoundaryNameOf({ stage, region })}`;
  return { stage, region, account, partition, boundaryArn };
}

/** The user or role of the credentials, with the name of its session. */
export async function callerArnOf(sts: STSClient): Promise<string> {
  const { Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  return Arn;
}

/** The account of the credentials. */
export async function callerAccountOf(sts: STSClient): Promise<string> {
  const { Account = '' } = await sts.send(new GetCallerIdentityCommand({}));
  return Account;
}
