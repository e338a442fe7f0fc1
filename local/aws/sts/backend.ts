import { accessKeyOf } from '../credentials.ts';
import type { Backend } from '../http.ts';
import { AwsFailure } from '../wire/errors.ts';
import { parseForm, queryAnswer, type XmlElement } from '../wire/query.ts';
import { assumeRole } from './assume-role.ts';
import type { Roles } from './roles.ts';
import type { Sessions } from './sessions.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

/** The two calls of STS that the service makes. */
export function createSts(roles: Roles, sessions: Sessions): Backend {
  return (request) => {
    const { operation, input } = parseForm(request);
    const accessKeyId = accessKeyOf(request);
    switch (operation) {
      case 'AssumeRole':
        return queryAnswer(operation, NAMESPACE, assumeRole({ roles, sessions, accessKeyId }, input));
      case 'GetCallerIdentity':
        return queryAnswer(operation, NAMESPACE, callerIdentity(sessions, accessKeyId));
      default:
        throw new AwsFailure(400, 'InvalidAction', `Could not find operation ${operation}`);
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
