import { confirmationView, type Confirmation } from '../confirmations/confirmation.ts';
import { writeContext } from '../confirmations/context.ts';
import { messageHashOf, sha256 } from '../kernel/identifiers.ts';
import { rfc3339 } from '../kernel/time.ts';
import type { CallContent } from './call-receiver.ts';
import type { EndedMessage, TestMessage } from './callback-message.ts';
import type { OpenedSecrets } from '../outbound/opened-secrets.ts';
import { pingContext, secretContext, type Receiver } from './receiver.ts';
import { signatureHeaders } from '../outbound/webhook-signature.ts';

/** When the confirmation ended, in milliseconds since 1970. */
export const endOf = ({ decidedAt, expiresAt }: Pick<Confirmation, 'decidedAt' | 'expiresAt'>): number =>
  decidedAt ?? expiresAt;

const contentType = { 'content-type': 'application/json', 'user-agent': 'OMI' };

/** The body of a call-back. It omits the nonce, with which a reader of the receiver's logs could act as the website. */
export function callbackView(confirmation: Confirmation, now: number) {
  const data = { ...confirmationView(confirmation, now), nonce: undefined };
  return { type: `confirmation.${data.status}`, timestamp: rfc3339(endOf(confirmation)), data };
}

const bodyOf = (confirmation: Confirmation, now: number): string =>
  JSON.stringify(callbackView(confirmation, now));

async function signed(
  secrets: OpenedSecrets,
  { clientId, secrets: sealed }: Receiver,
  { id, body }: { id: string; body: string },
  now: number,
): Promise<CallContent> {
  const opened = await Promise.all(
    sealed.map(async (secret) => await secrets.open(secret.sealed, secretContext(clientId))),
  );
  return { headers: { ...contentType, ...signatureHeaders({ id, body, secrets: opened }, now) }, body };
}

/** CIBA Core 1.0, section 10.2: the client authenticates the call by the token that it gave. */
async function ping(secrets: OpenedSecrets, sealed: string, challengeId: string): Promise<CallContent> {
  const { authReqId, token } = JSON.parse(await secrets.openOnce(sealed, pingContext(challengeId))) as {
    authReqId: string;
    token: string;
  };
  const headers = { ...contentType, authorization: `Bearer ${token}` };
  return { headers, body: JSON.stringify({ auth_req_id: authReqId }) };
}

/** Composes the call to a receiver. Each attempt gets a new signature. */
export class CallComposer {
  readonly #secrets: OpenedSecrets;

  constructor(secrets: OpenedSecrets) {
    this.#secrets = secrets;
  }

  /** @returns undefined if there is nothing to send any more */
  async compose(
    { kind, eventId: id }: EndedMessage,
    confirmation: Confirmation,
    receiver: Receiver,
    now: number,
  ): Promise<CallContent | undefined> {
    if (kind === 'callback')
      return await signed(this.#secrets, receiver, { id, body: bodyOf(confirmation, now) }, now);
    const { ping: sealed, challengeId } = confirmation;
    return sealed === undefined ? undefined : await ping(this.#secrets, sealed, challengeId);
  }

  /** Receivers accept it as they accept every call-back of a confirmation that they do not know. */
  async composeTest({ testId: id }: TestMessage, receiver: Receiver, now: number): Promise<CallContent> {
    return await signed(
      this.#secrets,
      receiver,
      { id, body: bodyOf(neverAsked(id, receiver, now), now) },
      now,
    );
  }
}

/** The user and the device of a test call. */
const tested = 'callback-test';

/** A confirmation that was withdrawn: the end that allows nothing. */
const neverAsked = (testId: string, { clientId, tenantId }: Receiver, now: number): Confirmation => ({
  challengeId: sha256(testId),
  tenantId,
  clientId,
  userId: tested,
  deviceId: tested,
  message: tested,
  messageHash: messageHashOf(tested),
  ...writeContext({ userVerification: 'off' }),
  expiresIn: 60,
  status: 'cancelled',
  reason: 'withdrawn',
  delivery: 'sent',
  createdAt: now,
  decidedAt: now,
  expiresAt: now + 60_000,
  attemptId: testId,
});
