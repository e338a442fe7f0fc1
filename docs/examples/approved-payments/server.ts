/** A bank's API that carries out payments with an approval token. Start it: node --env-file=<omi>/.local/website.env server.ts */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { approvalsFrom, NotApproved } from './approvals.ts';
import { detailOf, paymentSchema } from './payment.ts';

const { OMI_BASE_URL = '', OMI_TENANT_ID = '', OMI_CLIENT_ID = '', PORT = '3001' } = process.env;
const { OMI_RESOURCE = OMI_CLIENT_ID, APPROVERS = '' } = process.env;

const used = new Map<string, Date>(); // Several servers need one that they share, with conditional writes.
const approve = approvalsFrom({
  issuer: OMI_BASE_URL,
  tenantId: OMI_TENANT_ID,
  audience: OMI_RESOURCE,
  use: async (tokenId, expiresAt) =>
    await Promise.resolve(!used.has(tokenId) && !!used.set(tokenId, expiresAt)),
});

/** With `APPROVERS`, such as "anna,boris,carla", two of them must agree to a big payment. */
const agree = APPROVERS === '' ? undefined : (await import('./four-eyes.ts')).fourEyes(APPROVERS.split(','));

async function pay(request: IncomingMessage): Promise<{ status: number; body: object }> {
  if (request.method !== 'POST' || request.url !== '/payments') return { status: 404, body: {} };
  const { success, data: payment } = paymentSchema.safeParse(await json(request).catch(() => undefined));
  if (!success) return { status: 400, body: { error: 'This is no payment.' } };
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  // The payer is the user who approved, whatever the request says.
  const { userId: from } = await approve(token, detailOf(payment));
  await agree?.(payment, from);
  return { status: 201, body: { paid: { from, ...payment } } };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await pay(request).catch((error: unknown) => {
    if (error instanceof NotApproved) return { status: error.status, body: { error: error.message } };
    console.error(error);
    return { status: 503, body: { error: 'Try again later.' } };
  });
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

createServer((request, response) => void answer(request, response)).listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Listening on ${PORT}`),
);
