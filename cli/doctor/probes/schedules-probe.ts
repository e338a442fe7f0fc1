import { DescribeRuleCommand } from '@aws-sdk/client-eventbridge';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkEach, type Finding, type Probe } from '../probe.ts';

/** The rules that call Lambdas at their times. The local stack has its own clock. */
export const schedulesProbe: Probe = {
  name: 'schedules',
  check: async (deployment) =>
    await checkEach(await deployment.resources('AWS::Events::Rule'), {
      subjectOf: (name) => name,
      check: async (name) => await checkRule(deployment, name),
      fix: 'Deploy the stage again (npx cdk deploy --all): nothing calls its Lambda.',
    }),
};

async function checkRule({ clients }: Deployment, Name: string): Promise<Finding> {
  const { State, ScheduleExpression = '' } = await clients.eventbridge.send(
    new DescribeRuleCommand({ Name }),
  );
  if (State === 'ENABLED') return { subject: Name, ok: true, detail: ScheduleExpression };
  const fix = `aws events enable-rule --name ${Name}`;
  return { subject: Name, ok: false, detail: `is ${State ?? 'unknown'}`, fix };
}
