/** A shop in which a payment happens once its user has confirmed it on a device. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { verifyConfirmed } from './evidence.ts';
import { newNonce, Refused, type StepUp } from './step-up.ts';

export type Shop = {
  stepUp: StepUp;
  baseUrl: string;
  tenantId: string;
  /** The session of the user who is logged in. */
  sessionOf: (request: IncomingMessage) => { userId: string } | undefined;
  pay: (payment: { userId: string; cents: number }) => void;
};

type Payment = { userId: string; cents: number; message: string; nonce: string; isPaid: boolean };
type Answer = { status: number; body?: object };

const gone: Answer = { status: 404, body: { message: 'There is no such payment.' } };

/** Words for the user: every status but `confirmed` is a no. */
const words: Record<string, string> = {
  not_me: 'You told us that this was not you. We blocked the payment.',
  denied: 'You denied it.',
  expired: 'You did not answer in time. Shall we ask again?',
  cancelled: 'The request was withdrawn.',
  failed: 'The answer did not match. Please try again.',
  'confirmation-pending': 'Please answer the request that is open on your device first.',
  'too-many-notifications': 'We asked too often. Please wait a while.',
  'user-suspended': 'Our help desk has suspended your account.',
  'device-not-found': 'Please add a device first.',
  'device-choice-required': 'Please choose one of your devices.',
};

export function createShop({ stepUp, baseUrl, tenantId, sessionOf, pay }: Shop): Server {
  const payments = new Map<string, Payment>();

  /** `POST /payments?cents=1250`: the message says whatever the user agrees to. */
  async function begin(userId: string, cents: number): Promise<Answer> {
    const message = `Pay ${(cents / 100).toFixed(2)} € to Example Shop?`;
    const payment = { userId, cents, message, nonce: newNonce(), isPaid: false };
    const id = randomUUID();
    // Kept before it is sent: an answer that is lost must not lose the question.
    payments.set(id, payment);
    const { matchCode, interval } = await stepUp.ask(payment);
    return { status: 202, body: { id, matchCode, interval } };
  }

  /** `GET /payments/<id>`, which the page calls every `interval` seconds. */
  async function look(payment: Payment): Promise<Answer> {
    const confirmation = await stepUp.poll(payment.nonce);
    const { status, reason = '', interval } = confirmation;
    if (status !== 'confirmed')
      return { status: 200, body: { status, interval, message: words[reason] ?? words[status] } };
    if (!payment.isPaid) {
      const keys = await stepUp.keys();
      await verifyConfirmed(confirmation, { ...payment, baseUrl, tenantId, keys });
      payOnce(payment);
    }
    return { status: 200, body: { status: 'paid' } };
  }

  /** Two polls may come here at once. With a database, this is one conditional update. */
  function payOnce(payment: Payment): void {
    if (payment.isPaid) return;
    payment.isPaid = true;
    pay(payment);
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const session = sessionOf(request);
    if (!session) return { status: 401 };
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop');
    if (request.method === 'POST') return await begin(session.userId, Number(searchParams.get('cents')));
    const payment = payments.get(pathname.split('/').at(-1) ?? '');
    // Only who asked may look: the nonce ties the confirmation to the session.
    if (payment?.userId !== session.userId) return gone;
    if (request.method !== 'DELETE') return await look(payment);
    // The page calls this when the user goes back, or with `fetch(…, { keepalive: true })` on `pagehide`.
    return { status: (await stepUp.withdraw(payment.nonce)) ? 204 : 409 };
  }

  const failed = (error: unknown): Answer => {
    if (!(error instanceof Refused)) return { status: 503 };
    return { status: 409, body: { message: words[error.code ?? ''], retryAfter: error.retryAfter } };
  };

  return createServer((request, response) => {
    void answer(request)
      .catch(failed)
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
        response.end(body && JSON.stringify(body));
      });
  });
}
