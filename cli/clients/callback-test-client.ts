import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { TestMessage } from '../../core/callbacks/callback-message.ts';
import { CallbackStore } from '../../core/callbacks/callback-store.ts';
import type { Receiver } from '../../core/callbacks/receiver.ts';
import type { Deployment } from '../deployment/deployment.ts';

const pollMs = 250;

/**
 * Asks the service for a test call.
 *
 * @returns the id of the test
 */
export async function requestTest(deployment: Deployment, clientId: string): Promise<string> {
  const testId = randomUUID();
  await deployment.clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: await deployment.queueUrl('retries'),
      MessageBody: JSON.stringify({ kind: 'test', testId, clientId } satisfies TestMessage),
    }),
  );
  return testId;
}

/** @returns the receiver with the result of the test; undefined at the time-out, or if the receiver was removed */
export async function awaitTest(
  { clients, tables }: Deployment,
  { clientId, testId, timeoutMs }: { clientId: string; testId: string; timeoutMs: number },
): Promise<Receiver | undefined> {
  const receivers = new CallbackStore(clients.dynamodb, tables.tenants);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const receiver = await receivers.get('callback', clientId);
    if (!receiver || receiver.lastTest?.id === testId) return receiver;
    if (Date.now() >= deadline) return undefined;
    await setTimeout(pollMs);
  }
}
