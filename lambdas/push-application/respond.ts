import type { CloudFormationCustomResourceEvent } from 'aws-lambda';

export type Outcome = {
  physicalResourceId: string;
} & ({ status: 'SUCCESS' } | { status: 'FAILED'; reason: string });

export type Respond = (event: CloudFormationCustomResourceEvent, outcome: Outcome) => Promise<void>;

/**
 * Tells CloudFormation how its request ended. Throws when that fails, so that Lambda invokes again: a stack waits
 * for the answer.
 */
export const respond: Respond = async (event, { physicalResourceId, ...outcome }) => {
  const { ok, status } = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The URL is signed for a request without a content type.
    headers: { 'content-type': '' },
    body: JSON.stringify({
      Status: outcome.status,
      Reason: outcome.status === 'FAILED' ? outcome.reason : undefined,
      PhysicalResourceId: physicalResourceId,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
    }),
  });
  if (!ok) throw new Error(`CloudFormation refused the outcome with status ${status}.`);
};
