import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

export type Outcome = {
  physicalResourceId: string;
} & (
  | {
      status: 'SUCCESS';
      /** Attributes that the template may use. */
      data?: Record<string, string>;
    }
  | { status: 'FAILED'; reason: string }
);

/** Only names of AWS's errors: their messages are not ours to publish in CloudFormation's events. */
const faultOf = (error: unknown): string =>
  error instanceof Error ? (error.name === 'Error' ? error.message : error.name) : 'unknown fault';

export type Respond = (event: CloudFormationCustomResourceEvent, outcome: Outcome) => Promise<void>;

/** Sends the outcome to CloudFormation. Throws if that fails, so that Lambda retries: the stack waits for the response. */
export const respond: Respond = async (event, { physicalResourceId, ...outcome }) => {
  const { ok, status } = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The URL is signed for a request without a content type.
    headers: { 'content-type': '' },
    body: JSON.stringify({
      Status: outcome.status,
      Data: outcome.status === 'SUCCESS' ? outcome.data : undefined,
      Reason: outcome.status === 'FAILED' ? outcome.reason : undefined,
      PhysicalResourceId: physicalResourceId,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
    }),
  });
  if (!ok) throw new Error(`CloudFormation rejected the outcome with status ${status}.`);
};

/** Id of a resource whose creation failed: CloudFormation deletes it afterwards. */
export const notCreated = 'not-created';

type Event = CloudFormationCustomResourceEvent;
export type Made = { physicalResourceId: string; data?: Record<string, string> };

/** A handler that does the work and always responds, because the stack waits. */
export const responding =
  (send: Respond, apply: (event: Event) => Promise<Made>, failedId = notCreated) =>
  async (event: Event): Promise<void> => {
    await send(event, await outcomeOf(event, apply, failedId));
  };

async function outcomeOf(
  event: Event,
  apply: (event: Event) => Promise<Made>,
  failedId: string,
): Promise<Outcome> {
  try {
    return { status: 'SUCCESS', ...(await apply(event)) };
  } catch (error) {
    const physicalResourceId = event.RequestType === 'Create' ? failedId : event.PhysicalResourceId;
    return { status: 'FAILED', physicalResourceId, reason: faultOf(error) };
  }
}
