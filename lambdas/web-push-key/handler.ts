import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { VapidKeyStore } from '../../core/devices/push/vapid-key-store.ts';
import { newVapidKey, publicKeyOf } from '../../core/devices/push/vapid-key.ts';
import { faultOf, type Outcome, type Respond } from '../../core/lambda/custom-resource.ts';

export type Deps = {
  storeOf: (secretArn: string) => Pick<VapidKeyStore, 'find' | 'create'>;
  respond: Respond;
};

const properties = v.object({ secretArn: v.pipe(v.string(), v.nonEmpty()), revision: v.string() });

/**
 * Makes the VAPID key and tells the stack its public half. A key that exists is replaced only by an update to another revision:
 * every subscription is bound to it, so web devices get no pushes until their app was opened. Always responds, because the stack
 * waits.
 */
export function createHandler({ storeOf, respond }: Deps) {
  const ensureKey = async (
    { secretArn, isRenewed }: { secretArn: string; isRenewed: boolean },
    requestId: string,
  ): Promise<string> => {
    const store = storeOf(secretArn);
    const existing = isRenewed ? undefined : await store.find();
    if (existing) return publicKeyOf(existing);
    const key = newVapidKey();
    await store.create(key, requestId);
    return publicKeyOf(key);
  };

  const apply = async (event: CloudFormationCustomResourceEvent): Promise<Outcome> => {
    // The secret belongs to CloudFormation, which keeps or deletes it.
    if (event.RequestType === 'Delete')
      return { status: 'SUCCESS', physicalResourceId: event.PhysicalResourceId };
    const { secretArn, revision } = v.parse(properties, event.ResourceProperties);
    const isRenewed =
      event.RequestType === 'Update' &&
      v.parse(properties, event.OldResourceProperties).revision !== revision;
    const publicKey = await ensureKey({ secretArn, isRenewed }, event.RequestId);
    return { status: 'SUCCESS', physicalResourceId: secretArn, data: { publicKey } };
  };

  const outcomeOf = async (event: CloudFormationCustomResourceEvent): Promise<Outcome> => {
    try {
      return await apply(event);
    } catch (error) {
      const physicalResourceId = event.RequestType === 'Create' ? 'not-created' : event.PhysicalResourceId;
      return { status: 'FAILED', physicalResourceId, reason: faultOf(error) };
    }
  };

  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    await respond(event, await outcomeOf(event));
  };
}
