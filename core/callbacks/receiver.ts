import * as v from 'valibot';
import { sealedSecret, type SealedSecret } from '../outbound/sealed-secret.ts';

/** What a receiver gets: results of confirmations, or the notifications of CIBA's ping mode. */
export const receiverKinds = ['callback', 'ping'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

/**
 * - `active`: it answered the last call with success, or was not called yet
 * - `failing`: it did not; callbacks that wait are sent again
 * - `stopped`: it answered 410; nothing is sent until a test call succeeds
 */
export const receiverStates = ['active', 'failing', 'stopped'] as const;
export type ReceiverState = (typeof receiverStates)[number];

/** The result of a test call that an operator asked for. */
const test = v.object({ id: v.string(), at: v.number(), succeeded: v.boolean(), reason: v.string() });
export type ReceiverTest = v.InferOutput<typeof test>;

/** Where callbacks of a client go. Times in milliseconds since 1970. */
export const receiver = v.object({
  clientId: v.string(),
  tenantId: v.pipe(v.string(), v.uuid()),
  url: v.string(),
  /** Newest first: two while a secret is rotated, none for pings. */
  secrets: v.optional(v.array(sealedSecret), []),
  state: v.picklist(receiverStates),
  since: v.number(),
  /** Why it is failing or stopped, in plain words. */
  reason: v.optional(v.string()),
  /** It answered its last call quickly. */
  fast: v.optional(v.literal(true)),
  /** It asked for no call before that time, by `Retry-After`. */
  pausedUntil: v.optional(v.number()),
  lastTest: v.optional(test),
});

export type Receiver = v.InferOutput<typeof receiver>;

/** What an operator registers. */
export type Registration = Pick<Receiver, 'clientId' | 'tenantId' | 'url'> & {
  secrets?: readonly SealedSecret[];
};

/** The encryption context of a callback secret. A secret that is copied to another client cannot be opened. */
export const secretContext = (clientId: string) => ({ use: 'callback', clientId });

/** The encryption context of what a ping needs. */
export const pingContext = (challengeId: string) => ({ use: 'ping', challengeId });
