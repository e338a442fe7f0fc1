/** Sizes of the API's answers, from the documented examples, which the service's own code makes. */
import { exampleAnswers } from '../../docs/api/examples.ts';

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
