import { GetPlatformApplicationAttributesCommand } from '@aws-sdk/client-sns';
import type { Deployment } from '../../deployment/deployment.ts';
import { checkEach, type Finding, type Probe } from '../probe.ts';

/** Each push platform exists, SNS accepts its credentials, and SNS logs the pushes that the provider refuses. */
export const pushApplicationsProbe: Probe = {
  name: 'push',
  check: async (deployment) => {
    const arns = await deployment.pushApplications();
    if (arns.length === 0)
      return [{ subject: 'platforms', ok: true, detail: 'none is configured: only web devices get pushes' }];
    return await checkEach(arns, {
      subjectOf: platformOf,
      check: async (arn) => await checkPlatform(deployment, arn),
      fix: deployAgain,
    });
  },
};

const deployAgain =
  'Set another "revision" for it and deploy, see "Push credentials" in docs/operations/deploy.md.';

/** `…:app/<platform>/<stack>` */
const platformOf = (arn: string): string => arn.split('/')[1] ?? arn;

async function checkPlatform({ clients, hasAccount }: Deployment, arn: string): Promise<Finding> {
  const request = new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn: arn });
  const { Attributes: { Enabled, FailureFeedbackRoleArn } = {} } = await clients.sns.send(request);
  const subject = platformOf(arn);
  if (Enabled === 'false')
    return {
      subject,
      ok: false,
      detail: 'is disabled: the provider rejected its credentials',
      fix: 'Renew them, see "Push credentials" in docs/operations/deploy.md.',
    };
  if (hasAccount && !FailureFeedbackRoleArn)
    return { subject, ok: false, detail: 'does not log failed pushes', fix: deployAgain };
  return { subject, ok: true, detail: 'is enabled' };
}
