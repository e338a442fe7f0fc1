import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const compress = promisify(gzip);

/** A call of an HTTP API as a web-standard request. API Gateway decodes the path and separates the cookies. */
export function requestOf(event: APIGatewayProxyEventV2): Request {
  const { requestContext, rawPath, rawQueryString, cookies, body } = event;
  const { method } = requestContext.http;
  const url = new URL(`https://${requestContext.domainName}`);
  url.pathname = rawPath;
  url.search = rawQueryString;
  const headers = new Headers(
    Object.entries(event.headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
  if (cookies) headers.set('cookie', cookies.join('; '));
  const hasBody = body !== undefined && !['GET', 'HEAD'].includes(method);
  const bytes = hasBody && Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8');
  return new Request(url, { method, headers, ...(bytes && { body: bytes }) });
}

/** HTTP APIs do not compress. Answers with data of a visitor stay as they are, because their size would tell of it. */
const isCompressible = (response: Response): boolean =>
  /^(text\/(html|css|javascript)|image\/svg)/.test(response.headers.get('content-type') ?? '') &&
  !response.headers.has('content-encoding');

/** The answer for API Gateway, which accepts every body in base64. */
export async function resultOf(
  request: Request,
  response: Response,
): Promise<APIGatewayProxyStructuredResultV2> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'));
  let body: Buffer = Buffer.from(await response.arrayBuffer());
  if (body.length > 0 && isCompressible(response)) {
    headers['vary'] = 'accept-encoding';
    if (/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) {
      body = await compress(body);
      headers['content-encoding'] = 'gzip';
      delete headers['content-length'];
    }
  }
  return {
    statusCode: response.status,
    headers,
    cookies: response.headers.getSetCookie(),
    body: body.toString('base64'),
    isBase64Encoded: true,
  };
}
