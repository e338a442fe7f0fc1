import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A request as the endpoints pass it on: read to its end, since every AWS API but S3's object calls is small. */
export type AwsRequest = {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type AwsResponse = { status: number; headers: OutgoingHttpHeaders; body: Buffer | string };

/** What does the work: an emulator behind HTTP, or a stand-in in this process. */
export type Backend = (request: AwsRequest) => AwsResponse | Promise<AwsResponse>;

export async function readRequest(incoming: IncomingMessage): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  return { method, url, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
}

export function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  // The answer to a HEAD request tells the length of a body that is not there.
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** What belongs to one connection (RFC 9110, section 7.6.1), or to HTTP/2 alone, does not pass. */
export function endToEnd(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const passed = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_HEADERS.has(name));
  return Object.fromEntries(passed);
}

const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'te', 'upgrade']);
