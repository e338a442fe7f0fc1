import { GetEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Check, Finding } from '../check.ts';
import { checkEach } from '../probe.ts';

/** Each stream and queue calls its Lambda, and the last call went well. The local stack has pollers of its own. */
export const eventSources: Check = {
  name: 'event sources',
  look: async (deployment) => {
    const ids = await deployment.resources('AWS::Lambda::EventSourceMapping');
    return await checkEach(ids, {
      subjectOf: (id) => id,
      look: async (id) => await lookAt(deployment, id),
      fix: 'Deploy the stack anew: nothing calls its Lambda.',
    });
  },
};

async function lookAt({ clients }: Deployment, UUID: string): Promise<Finding> {
  const mapping = await clients.lambda.send(new GetEventSourceMappingCommand({ UUID }));
  const {
    State = 'unknown',
    LastProcessingResult: last = '',
    FunctionArn: lambda,
    EventSourceArn: source,
  } = mapping;
  const subject = `${nameOf(source)} to ${nameOf(lambda)}`;
  if (State !== 'Enabled') {
    const fix = `aws lambda update-event-source-mapping --uuid ${UUID} --enabled`;
    return { subject, ok: false, detail: `is ${State}`, fix };
  }
  if (last.startsWith('PROBLEM'))
    return {
      subject,
      ok: false,
      detail: last,
      fix: "The Lambda's log says why; what it was given comes again.",
    };
  return { subject, ok: true, detail: 'is enabled' };
}

/** A table's or a queue's name, of its stream's or its own ARN; a function's, without its alias. */
const nameOf = (arn = ''): string => {
  const [, , service, , , ...rest] = arn.split(':');
  if (service === 'dynamodb') return rest.join(':').split('/')[1] ?? arn;
  return (service === 'lambda' ? rest[1] : rest[0]) ?? arn;
};
