import { accessKeyOf } from '../../endpoint/caller.ts';
import type { AwsRequest, Backend } from '../../endpoint/http.ts';
import { permissionsOf, type Roles } from './roles.ts';
import type { Session, Sessions } from '../sts/sessions.ts';
import type { Service } from '../../protocols/service.ts';
import { anyValue, type Context } from './conditions.ts';
import { isAllowed, type Log } from './evaluation.ts';

export type Access = {
  roles: Roles;
  sessions: Pick<Sessions, 'find' | 'identify'>;
  log: Log;
  /** Undefined for an unknown owner, who then matches every policy. */
  bucketOwner: (bucket: string) => string | undefined;
};

/**
 * Refuses calls that a session's role or session policy does not allow. Callers without a session may do everything.
 * Bucket policies are not evaluated.
 */
export function withAuthorization(service: Service, access: Access, backend: Backend): Backend {
  return (request) => {
    const session = access.sessions.find(accessKeyOf(request));
    if (!session || mayCall(service, access, { session, request })) return backend(request);
    const operation = service.describe(request);
    return service.render(service.errors(operation)['access-denied']);
  };
}

type SessionCall = { session: Session; request: AwsRequest };

/** "Permissions assigned to temporary security credentials are evaluated each time they are used" (IAM's guide). */
function mayCall(
  service: Service,
  { roles, sessions, log, bucketOwner }: Access,
  { session, request }: SessionCall,
): boolean {
  const role = roles.get(session.roleArn);
  if (session.roleId !== undefined && role?.id !== session.roleId) return false;
  const limits = [permissionsOf(role), session.policy && [session.policy]].filter(
    (limit) => limit !== undefined,
  );
  if (limits.length === 0) return true;
  const identity = sessions.identify(session.accessKeyId);
  const operation = service.describe(request);
  const asked = service.actionOf?.(operation, identity.account);
  const [bucket = ''] = (operation.resources[0] ?? '').split('/');
  if (!asked) return true;
  const context: Context = {
    'aws:PrincipalArn': identity.principalArn,
    'aws:PrincipalAccount': identity.account,
    'aws:userid': identity.userId,
    ...(service.name === 's3' && { 'aws:ResourceAccount': bucketOwner(bucket) ?? anyValue }),
  };
  return limits.every((policies) => isAllowed(policies, { ...asked, context }, log));
}
