import { anyValue, type Context } from './conditions.ts';
import { isAllowed, type Log } from './evaluation.ts';
import { permissionsOf, type Roles } from './roles.ts';

/** Decides whether a delivery role lets Firehose write an object. */
export function deliveryAccess(
  { roles, log }: { roles: Roles; log: Log },
  ownerOf: (bucket: string) => string | undefined,
) {
  return (roleArn: string, bucket: string, key: string): boolean => {
    const policies = permissionsOf(roles.get(roleArn));
    if (!policies) return true;
    const context: Context = {
      'aws:PrincipalArn': roleArn,
      'aws:ResourceAccount': ownerOf(bucket) ?? anyValue,
    };
    const resource = `arn:aws:s3:::${bucket}/${key}`;
    return isAllowed(policies, { action: 's3:PutObject', resource, context }, log);
  };
}

export type MayWrite = ReturnType<typeof deliveryAccess>;
