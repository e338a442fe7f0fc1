import * as v from 'valibot';
import { sha256Text } from '../kernel/identifiers.ts';
import { receiverKinds } from './receiver.ts';

const kind = v.picklist(receiverKinds);

/** The end of a confirmation, or of a group, of which its client is notified. */
const ended = v.object({
  kind,
  tenantId: v.string(),
  /** That of the confirmation, or the id of the group. */
  challengeId: sha256Text,
  /** The id of the event that ended the confirmation. It is the id of the callback, too. */
  eventId: v.string(),
});
export type EndedMessage = v.InferOutput<typeof ended>;

/** A test call that an operator asked for. */
const test = v.object({
  kind: v.literal('test'),
  testId: v.pipe(v.string(), v.uuid()),
  clientId: v.string(),
});
export type TestMessage = v.InferOutput<typeof test>;

const message = v.variant('kind', [ended, test]);
export type CallbackMessage = v.InferOutput<typeof message>;

/** Only the members of the message, as the caller may keep others beside them. */
export const bodyOf = (sent: CallbackMessage): string => JSON.stringify(v.parse(message, sent));

/** @returns undefined for a malformed message */
export function readCallbackMessage(body: string): CallbackMessage | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), message), body);
  return result.success ? result.output : undefined;
}
