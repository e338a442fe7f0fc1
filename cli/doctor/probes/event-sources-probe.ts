import { GetEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkEach, type Finding, type Probe } from '../probe.ts';

/** Each stream and queue calls its Lambda, and the last call succeeded. The local stack has its own pollers. */
export const eventSourcesProbe: Probe = {
  name: 'event sources',
  check: async (deployment) => {
    const ids = await deployment.resources('AWS::Lambda::EventSourceMapping');
    return await checkEach(ids, {
      subjectOf: (id) => id,
      check: async (id) => await checkSource(deployment, id),
      fix: 'Deploy the stage again (npx cdk deploy --all): nothing calls its Lambda.',
    });
  },
};

async function checkSource({ clients }: Deployment, UUID: string): Promise<Finding> {
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
      fix: 'See the log of the Lambda. Lambda tries the same records again.',
    };
  return { subject, ok: true, detail: 'is enabled' };
}

/** The name of a table from the ARN of its stream, of a queue, or of a function without its alias. */
const nameOf = (arn = ''): string => {
  const [, , service, , , ...rest] = arn.split(':');
  if (service === 'dynamodb') return rest.join(':').split('/')[1] ?? arn;
  return (service === 'lambda' ? rest[1] : rest[0]) ?? arn;
};
