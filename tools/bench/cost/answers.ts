/** Sizes of the API's answers, from the documented examples, which the service's own code makes. */
import { exampleAnswers } from '../../documents/api/examples.ts';

/** The headers that API Gateway sends over HTTP/1.1, with those of every answer (`core/http/api-lambda.ts`). */
const headers = [
  'HTTP/1.1 200 OK',
  'Date: Thu, 15 Jan 2026 12:30:15 GMT',
  'Content-Type: application/json',
  'Content-Length: 1234',
  'Connection: keep-alive',
  'cache-control: no-store',
  'strict-transport-security: max-age=31536000',
  'x-content-type-options: nosniff',
  'Apigw-Requestid: a1B2c3D4e5F6g7h=',
  '\r\n',
].join('\r\n');

const bytesOf = (body: object): number =>
  Buffer.byteLength(headers) + Buffer.byteLength(JSON.stringify(body));

/** The headers of a call-back, as Standard Webhooks names them. */
const callbackHeaders = [
  'POST /omi/callback HTTP/1.1',
  'host: www.example.com',
  'content-type: application/json',
  'content-length: 1234',
  'webhook-id: 0199c0de-0001-7000-8000-000000000001',
  'webhook-timestamp: 1768480215',
  `webhook-signature: v1,${'x'.repeat(44)}`,
  'connection: keep-alive',
  '\r\n',
].join('\r\n');

/** What a client sends to open a TLS connection, which a call-back may need. */
export const handshakeBytes = 1_000;

/** Bytes of the headers of a call to a webhook. */
export const webhookHeaderBytes = Buffer.byteLength(callbackHeaders);

const reported = { ...exampleAnswers.confirmed, nonce: undefined, matchCode: undefined };

/** Bytes of a call-back: the confirmation without its nonce and match code. */
export const callbackBytes =
  handshakeBytes +
  webhookHeaderBytes +
  Buffer.byteLength(
    JSON.stringify({ type: 'confirmation.confirmed', timestamp: reported.createdAt, data: reported }),
  );

/** Bytes, with the headers. */
export const answerBytes = {
  list: bytesOf(exampleAnswers.devices),
  send: bytesOf(exampleAnswers.accepted),
  poll: bytesOf(exampleAnswers.pending),
  /** The last poll gets the evidence. */
  lastPoll: bytesOf(exampleAnswers.confirmed),
  fetch: bytesOf(exampleAnswers.challenges),
  answer: bytesOf(exampleAnswers.answered),
  record: bytesOf(exampleAnswers.recorded),
} as const;
