import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { VapidKeyStore } from '../../core/devices/push/vapid-key-store.ts';
import { newVapidKey, publicKeyOf } from '../../core/devices/push/vapid-key.ts';
import { type Made, responding, type Respond } from '../../core/lambda/custom-resource.ts';

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

  const apply = async (event: CloudFormationCustomResourceEvent): Promise<Made> => {
    // The secret belongs to CloudFormation, which keeps or deletes it.
    if (event.RequestType === 'Delete') return { physicalResourceId: event.PhysicalResourceId };
    const { secretArn, revision } = v.parse(properties, event.ResourceProperties);
    const isRenewed =
      event.RequestType === 'Update' &&
      v.parse(properties, event.OldResourceProperties).revision !== revision;
    const publicKey = await ensureKey({ secretArn, isRenewed }, event.RequestId);
    return { physicalResourceId: secretArn, data: { publicKey } };
  };

  return responding(respond, apply);
}
