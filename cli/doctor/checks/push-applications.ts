import {
  GetPlatformApplicationAttributesCommand,
  paginateListPlatformApplications,
} from '@aws-sdk/client-sns';
import { type Deployment, prefixOf } from '../../deployment/deployment.ts';
import type { Check, Finding } from '../check.ts';

/** SNS still takes the credentials of each push platform that is set up. */
export const pushApplications: Check = {
  name: 'push',
  look: async (deployment) => {
    const arns = await applicationsOf(deployment);
    if (arns.length === 0)
      return [{ subject: 'platforms', ok: true, detail: 'none is set up: no device can enrol' }];
    return await Promise.all(arns.map(async (arn) => await lookAt(deployment, arn)));
  },
};

/** `…:app/<platform>/<stack>`; the local stack makes one of a name for each platform. */
async function applicationsOf(deployment: Deployment): Promise<string[]> {
  const prefix = prefixOf(deployment);
  const isOwn = (name = ''): boolean =>
    name === prefix || (deployment.stage === 'local' && name.startsWith(prefix));
  const found: string[] = [];
  for await (const page of paginateListPlatformApplications({ client: deployment.clients.sns }, {}))
    for (const { PlatformApplicationArn: arn = '' } of page.PlatformApplications ?? [])
      if (isOwn(arn.split('/').at(-1))) found.push(arn);
  return found;
}

async function lookAt({ clients }: Deployment, arn: string): Promise<Finding> {
  const request = new GetPlatformApplicationAttributesCommand({ PlatformApplicationArn: arn });
  const { Attributes: { Enabled } = {} } = await clients.sns.send(request);
  const subject = arn.split('/')[1] ?? arn;
  if (Enabled !== 'false') return { subject, ok: true, detail: 'is enabled' };
  return {
    subject,
    ok: false,
    detail: 'is disabled: the provider refused its credentials',
    mend: 'Renew them, see "Push credentials" in docs/operations.md.',
  };
}
