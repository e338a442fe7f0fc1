import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { PlatformApplicationClient } from '../../core/devices/push/platform-application-client.ts';
import { type Attributes, attributesOf, platform } from '../../core/devices/push/platform-credentials.ts';
import { notCreated, responding, type Respond } from '../../core/lambda/custom-resource.ts';

export type Deps = {
  applications: Pick<PlatformApplicationClient, 'put' | 'delete'>;
  readSecret: (name: string) => Promise<string | undefined>;
  respond: Respond;
};

/** `revision` has no meaning here: when it changes, CloudFormation sends another request. */
const properties = v.object({
  applicationArn: v.pipe(v.string(), v.startsWith('arn:')),
  platform,
  secretName: v.string(),
  failureFeedbackRoleArn: v.pipe(v.string(), v.startsWith('arn:')),
  revision: v.string(),
});

/** Makes SNS log each push that the provider rejects, and none that it accepts. */
const failuresLogged = (roleArn: string): Attributes => ({
  FailureFeedbackRoleArn: roleArn,
  SuccessFeedbackSampleRate: '0',
});

/** Creates, updates and deletes SNS platform applications for the stack. */
export function createHandler({ applications, readSecret, respond }: Deps) {
  const put = async (event: CloudFormationCustomResourceEvent): Promise<string> => {
    const requested = v.parse(properties, event.ResourceProperties);
    const secret = await readSecret(requested.secretName);
    if (secret === undefined)
      throw new Error(`The secret ${requested.secretName} does not exist, or holds no text.`);
    const credentials = attributesOf(requested.platform, secret);
    const attributes = { ...credentials, ...failuresLogged(requested.failureFeedbackRoleArn) };
    await applications.put(requested.applicationArn, requested.platform, attributes);
    return requested.applicationArn;
  };

  const apply = async (event: CloudFormationCustomResourceEvent) => {
    if (event.RequestType !== 'Delete') return { physicalResourceId: await put(event) };
    const { PhysicalResourceId: physicalResourceId } = event;
    if (physicalResourceId !== notCreated) await applications.delete(physicalResourceId);
    return { physicalResourceId };
  };

  return responding(respond, apply);
}
