/** The parts of an ARN that policies are made of. */
export type ArnParts = { partition: string; region: string; account: string; resource: string };

export function parseArn(arn: string): ArnParts {
  const [, partition = '', , region = '', account = '', ...resource] = arn.split(':');
  return { partition, region, account, resource: resource.join(':') };
}

/** As a principal: the account, whose own policies say who in it may. */
export const accountRootOf = ({ partition, account }: Pick<ArnParts, 'partition' | 'account'>): string =>
  `arn:${partition}:iam::${account}:root`;

export const bucketArnOf = (partition: string, bucket: string): string => `arn:${partition}:s3:::${bucket}`;
