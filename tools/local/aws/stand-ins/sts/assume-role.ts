import { type Log, isAllowed } from '../iam/evaluation.ts';
import { parsePolicy } from '../iam/policy.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import type { Form, XmlElement } from '../../protocols/query.ts';
import type { Role, Roles } from '../iam/roles.ts';
import type { Identity, Session, Sessions } from './sessions.ts';

type Assumption = { caller: Identity; sessionName: string; externalId: string | undefined };

/** True if the role's trust policy lets the caller assume it. */
function trusts({ trustPolicy }: Role, { caller, sessionName, externalId }: Assumption, log: Log): boolean {
  const request = {
    action: 'sts:AssumeRole',
    caller,
    context: {
      'sts:ExternalId': externalId,
      'sts:RoleSessionName': sessionName,
      'aws:PrincipalArn': caller.principalArn,
      'aws:PrincipalAccount': caller.account,
      'aws:PrincipalType': caller.isRoleSession ? 'AssumedRole' : 'User',
      'aws:userid': caller.userId,
      // Only AWS services set the source, and nobody here has a second factor.
      'aws:SourceAccount': undefined,
      'aws:SourceArn': undefined,
      'aws:MultiFactorAuthPresent': undefined,
    },
  };
  return isAllowed([parsePolicy(trustPolicy, 'trust')], request, log);
}

const oneHourSeconds = 3_600;
const shortestSessionSeconds = 900;
const longestSessionSeconds = 43_200;
const longestPolicy = 2_048;

export type StsContext = { roles: Roles; sessions: Sessions; log: Log; accessKeyId: string };

export function assumeRole({ roles, sessions, log, accessKeyId }: StsContext, form: Form): XmlElement[] {
  const { RoleArn: roleArn = '', RoleSessionName: sessionName = '', ExternalId: externalId, Policy } = form;
  checkParameters(form);
  const caller = sessions.identify(accessKeyId);
  const role = roles.get(roleArn);
  // The error does not reveal whether the role exists.
  if (!role || !trusts(role, { caller, sessionName, externalId }, log)) throw denied(caller, roleArn);
  const bounds = {
    roleId: role.id,
    ...(Policy !== undefined && { policy: parsePolicy(Policy, 'permissions') }),
  };
  return describe(sessions.open(roleArn, sessionName, sessionSeconds(form, role, caller), bounds));
}

function checkParameters({ RoleArn = '', RoleSessionName = '', ExternalId, Policy }: Form): void {
  if (!/^arn:aws[^:]*:iam::\d{12}:role\/\S+$/.test(RoleArn)) throw validation(`${RoleArn} is invalid`);
  if (!/^[\w+=,.@-]{2,64}$/.test(RoleSessionName)) throw constraint('roleSessionName', '[\\w+=,.@-]{2,64}');
  if (ExternalId !== undefined && !/^[\w+=,.@:/-]{2,1224}$/.test(ExternalId)) {
    throw constraint('externalId', '[\\w+=,.@:\\/-]{2,1224}');
  }
  if (Policy === undefined) return;
  if (Policy.length > longestPolicy)
    throw constraint('policy', `length less than or equal to ${longestPolicy}`);
  parsePolicy(Policy, 'permissions');
}

function sessionSeconds({ DurationSeconds }: Form, role: Role, caller: Identity): number {
  const seconds = Number(DurationSeconds ?? oneHourSeconds);
  if (!Number.isInteger(seconds) || seconds < shortestSessionSeconds || seconds > longestSessionSeconds) {
    throw constraint(
      'durationSeconds',
      `a value between ${shortestSessionSeconds} and ${longestSessionSeconds}`,
    );
  }
  if (caller.isRoleSession && seconds > oneHourSeconds) {
    throw validation(
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
    );
  }
  if (seconds > (role.maxSessionSeconds ?? oneHourSeconds)) {
    throw validation('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
  }
  return seconds;
}

function describe(session: Session): XmlElement[] {
  const { accessKeyId, secretAccessKey, sessionToken, expiresAt, arn } = session;
  return [
    [
      'AssumedRoleUser',
      [
        ['AssumedRoleId', `AROALOCAL:${arn.slice(arn.lastIndexOf('/') + 1)}`],
        ['Arn', arn],
      ],
    ],
    [
      'Credentials',
      [
        ['AccessKeyId', accessKeyId],
        ['SecretAccessKey', secretAccessKey],
        ['SessionToken', sessionToken],
        ['Expiration', expiresAt.toISOString()],
      ],
    ],
  ];
}

function denied(caller: Identity, roleArn: string): AwsServiceError {
  const message = `User: ${caller.arn} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`;
  return new AwsServiceError(403, 'AccessDenied', message);
}

function validation(message: string): AwsServiceError {
  return new AwsServiceError(400, 'ValidationError', message);
}

function constraint(member: string, rule: string): AwsServiceError {
  return validation(
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must satisfy ${rule}`,
  );
}
