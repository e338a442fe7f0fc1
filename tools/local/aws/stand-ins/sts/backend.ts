import { accessKeyOf } from '../../endpoint/caller.ts';
import type { Backend } from '../../endpoint/http.ts';
import { createIam } from '../iam/backend.ts';
import type { Log } from '../iam/evaluation.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { parseForm, queryResponse, type XmlElement } from '../../protocols/query.ts';
import { iamVersion } from '../../protocols/sts.ts';
import { assumeRole } from './assume-role.ts';
import type { Roles } from '../iam/roles.ts';
import type { Sessions } from './sessions.ts';

const namespace = 'https://sts.amazonaws.com/doc/2011-06-15/';

/**
 * The two operations of STS that we use, and IAM at the same endpoint. Every call of the query protocol names the version
 * of its API, which distinguishes the two.
 */
export function createSts(roles: Roles, sessions: Sessions, log: Log = () => undefined): Backend {
  const iam = createIam(roles, sessions);
  return (request) => {
    const { operation, input } = parseForm(request);
    if (input['Version'] === iamVersion) return iam(request);
    const accessKeyId = accessKeyOf(request);
    switch (operation) {
      case 'AssumeRole':
        return queryResponse(operation, namespace, assumeRole({ roles, sessions, log, accessKeyId }, input));
      case 'GetCallerIdentity':
        return queryResponse(operation, namespace, callerIdentity(sessions, accessKeyId));
      default:
        throw new AwsServiceError(400, 'InvalidAction', `Could not find operation ${operation}`);
    }
  };
}

function callerIdentity(sessions: Sessions, accessKeyId: string): XmlElement[] {
  const { arn, userId, account } = sessions.identify(accessKeyId);
  return [
    ['Arn', arn],
    ['UserId', userId],
    ['Account', account],
  ];
}
