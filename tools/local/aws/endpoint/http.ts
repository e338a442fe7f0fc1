import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A request to AWS, with its whole body: only S3 objects are large. */
export type AwsRequest = {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type AwsResponse = { status: number; headers: OutgoingHttpHeaders; body: Buffer | string };

/** An emulator behind HTTP, or a stand-in in this process. */
export type Backend = (request: AwsRequest) => AwsResponse | Promise<AwsResponse>;

export async function readRequest(incoming: IncomingMessage): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  return { method, url, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
}

export function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  // A HEAD response has the length of a body that it does not have.
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Without the headers of one connection (RFC 9110, section 7.6.1) and the pseudo-headers of HTTP/2. */
export function endToEnd(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopHeaders.has(name)),
  );
}

export const withBody = (response: AwsResponse, body: string): AwsResponse => ({
  ...response,
  headers: { ...response.headers, 'content-length': Buffer.byteLength(body) },
  body,
});

const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'expect', 'te', 'upgrade']);
