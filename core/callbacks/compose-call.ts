import type { Confirmation } from '../confirmations/confirmation.ts';
import { writeContext } from '../confirmations/context.ts';
import { messageHashOf, sha256 } from '../kernel/identifiers.ts';
import type { CallContent } from '../outbound/call-receiver.ts';
import type { EndedMessage, TestMessage } from './callback-message.ts';
import type { OpenedSecrets } from '../outbound/opened-secrets.ts';
import { pingContext, secretContext, type Receiver } from './receiver.ts';
import { confirmationSubject, type Subject } from './subject.ts';
import { signatureHeaders } from '../outbound/webhook-signature.ts';

const contentType = { 'content-type': 'application/json', 'user-agent': 'OMI' };

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
    { kind, eventId: id, challengeId }: EndedMessage,
    subject: Subject,
    receiver: Receiver,
    now: number,
  ): Promise<CallContent | undefined> {
    if (kind === 'callback')
      return await signed(this.#secrets, receiver, { id, body: JSON.stringify(subject.view(now)) }, now);
    const { ping: sealed } = subject;
    return sealed === undefined ? undefined : await ping(this.#secrets, sealed, challengeId);
  }

  /** Receivers accept it as they accept every callback of a confirmation that they do not know. */
  async composeTest({ testId: id }: TestMessage, receiver: Receiver, now: number): Promise<CallContent> {
    const body = JSON.stringify(confirmationSubject(neverAsked(id, receiver, now)).view(now));
    return await signed(this.#secrets, receiver, { id, body }, now);
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
