import { GetPlatformApplicationAttributesCommand } from '@aws-sdk/client-sns';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Check, Finding } from '../check.ts';
import { checkEach } from '../probe.ts';

/** Each push platform that is set up is there, SNS still takes its credentials, and logs what the provider refuses. */
export const pushApplications: Check = {
  name: 'push',
  look: async (deployment) => {
    const arns = await deployment.pushApplications();
    if (arns.length === 0)
      return [{ subject: 'platforms', ok: true, detail: 'none is set up: no device can enrol' }];
    return await checkEach(arns, {
      subjectOf: platformOf,
      look: async (arn) => await lookAt(deployment, arn),
      fix: deployAgain,
    });
  },
};

const deployAgain = 'Set another "revision" for it and deploy, see "Push credentials" in docs/operations.md.';

/** `…:app/<platform>/<stack>` */
const platformOf = (arn: string): string => arn.split('/')[1] ?? arn;

async function lookAt({ clients, hasPushProviders }: Deployment, arn: string): Promise<Finding> {
  const request = new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn: arn });
  const { Attributes: { Enabled, FailureFeedbackRoleArn } = {} } = await clients.sns.send(request);
  const subject = platformOf(arn);
  if (Enabled === 'false')
    return {
      subject,
      ok: false,
      detail: 'is disabled: the provider refused its credentials',
      fix: 'Renew them, see "Push credentials" in docs/operations.md.',
    };
  if (hasPushProviders && !FailureFeedbackRoleArn)
    return { subject, ok: false, detail: 'does not log the pushes that fail', fix: deployAgain };
  return { subject, ok: true, detail: 'is enabled' };
}
