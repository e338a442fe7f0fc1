import type { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { categories, type TargetRef } from '../../../../events/target-ref.ts';
import { holdInBatches, sendInBatches, type Held, type QueueAccess } from '../../../../aws/batch-queue.ts';

const request = v.object({ tenantId: v.pipe(v.string(), v.uuid()), category: v.picklist(categories) });

/**
 * Targets whose delivery stream may have to change. A message only names the target, which is read when the message is
 * handled. So messages may come twice and in any order.
 */
export class ProvisioningQueue {
  readonly #queue: QueueAccess;

  constructor(client: SQSClient, url: string) {
    this.#queue = { client, url };
  }

  /** @returns those that SQS did not take */
  async request<Requested extends TargetRef>(targets: readonly Requested[]): Promise<Requested[]> {
    const { failed } = await sendInBatches(this.#queue, targets, ({ tenantId, category }) => ({
      MessageBody: JSON.stringify({ tenantId, category } satisfies TargetRef),
    }));
    return failed;
  }

  /** Sets when messages come again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches(this.#queue, messages);
  }
}

/** @returns nothing for an unreadable message */
export function readProvisioningRequest(body: string): TargetRef | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body);
  return result.success ? result.output : undefined;
}
