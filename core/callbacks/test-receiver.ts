import type { ReceiverCaller } from '../outbound/call-receiver.ts';
import type { TestMessage } from './callback-message.ts';
import type { CallbackStore } from './callback-store.ts';
import type { CallComposer } from './compose-call.ts';

export type TestDeps = {
  receivers: CallbackStore;
  composer: CallComposer;
  caller: Pick<ReceiverCaller, 'call'>;
};

/** The result of a test call; undefined if the receiver was removed. */
export type TestOutcome = { succeeded: boolean; reason: string };

/** Makes the test call that an operator asked for, and records its result in the receiver. */
export async function testReceiver(deps: TestDeps, message: TestMessage): Promise<TestOutcome | undefined> {
  const { receivers, composer, caller } = deps;
  const receiver = await receivers.get('callback', message.clientId);
  if (!receiver) return undefined;
  const content = await composer.composeTest(message, receiver, Date.now());
  const { succeeded, reason } = await caller.call(receiver.url, content, () => undefined);
  await receivers.tested('callback', receiver, { id: message.testId, at: Date.now(), succeeded, reason });
  return { succeeded, reason };
}
