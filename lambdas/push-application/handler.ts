import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { PlatformApplicationClient } from '../../core/devices/push/platform-application-client.ts';
import { type Attributes, attributesOf, platform } from '../../core/devices/push/platform-credentials.ts';
import type { Outcome, Respond } from './respond.ts';

export type Deps = {
  applications: Pick<PlatformApplicationClient, 'put' | 'delete'>;
  readSecret: (name: string) => Promise<string>;
  respond: Respond;
};

/** What the stack asks for. `revision` has no meaning here: a changed one makes CloudFormation ask again. */
const properties = v.object({
  applicationArn: v.pipe(v.string(), v.startsWith('arn:')),
  platform,
  secretName: v.string(),
  failureFeedbackRoleArn: v.pipe(v.string(), v.startsWith('arn:')),
  revision: v.string(),
});

/** Has SNS log each push that the provider refuses, and none that it takes. */
const failuresLogged = (roleArn: string): Attributes => ({
  FailureFeedbackRoleArn: roleArn,
  SuccessFeedbackSampleRate: '0',
});

/** Id of a resource that was never made: CloudFormation deletes what failed to be created. */
const notCreated = 'not-created';

const faultOf = (error: unknown): string =>
  // A message of SNS's may repeat what it was sent; its name says enough.
  error instanceof Error ? (error.name === 'Error' ? error.message : error.name) : 'unknown fault';

/** Makes, renews and deletes SNS platform applications for the deployment; always answers, or the stack would hang. */
export function createHandler({ applications, readSecret, respond }: Deps) {
  const put = async (event: CloudFormationCustomResourceEvent): Promise<string> => {
    const wanted = v.parse(properties, event.ResourceProperties);
    const credentials = attributesOf(wanted.platform, await readSecret(wanted.secretName));
    const attributes = { ...credentials, ...failuresLogged(wanted.failureFeedbackRoleArn) };
    await applications.put(wanted.applicationArn, wanted.platform, attributes);
    return wanted.applicationArn;
  };

  const carryOut = async (event: CloudFormationCustomResourceEvent): Promise<string> => {
    if (event.RequestType !== 'Delete') return await put(event);
    if (event.PhysicalResourceId !== notCreated) await applications.delete(event.PhysicalResourceId);
    return event.PhysicalResourceId;
  };

  const outcomeOf = async (event: CloudFormationCustomResourceEvent): Promise<Outcome> => {
    try {
      return { status: 'SUCCESS', physicalResourceId: await carryOut(event) };
    } catch (error) {
      const physicalResourceId = event.RequestType === 'Create' ? notCreated : event.PhysicalResourceId;
      return { status: 'FAILED', physicalResourceId, reason: faultOf(error) };
    }
  };

  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    await respond(event, await outcomeOf(event));
  };
}
