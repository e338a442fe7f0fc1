import type { Roles } from './roles.ts';
import { ANY_VALUE, type Context } from './conditions.ts';
import { isAllowed, type Log } from './evaluation.ts';
import { parsePolicy } from './policy.ts';

/** Whether a delivery role lets Firehose write an object; one that has no policies because nobody made it through IAM does. */
export function deliveryAccess(
  { roles, log }: { roles: Roles; log: Log },
  ownerOf: (bucket: string) => string | undefined,
) {
  return (roleArn: string, bucket: string, key: string): boolean => {
    const texts = roles.get(roleArn)?.policies;
    if (!texts) return true;
    const policies = Object.values(texts).map((text) => parsePolicy(text, 'permissions'));
    const context: Context = {
      'aws:PrincipalArn': roleArn,
      'aws:ResourceAccount': ownerOf(bucket) ?? ANY_VALUE,
    };
    const resource = `arn:aws:s3:::${bucket}/${key}`;
    return isAllowed(policies, { action: 's3:PutObject', resource, context }, log);
  };
}

export type MayWrite = ReturnType<typeof deliveryAccess>;
