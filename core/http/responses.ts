import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Refusal } from '../kernel/refusal.ts';
import type { ApiEvent } from './api-event.ts';
import { problemDocument, problems } from './problems.ts';

export type HttpResponse = APIGatewayProxyStructuredResultV2;

/** No response may be cached (unless it says so itself), interpreted as another media type, or fetched without TLS. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

/** For public documents, which callers and CloudFront may keep for five minutes. */
export const cacheable = { 'cache-control': 'max-age=300' };

export const json = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const plainText = (body: string): HttpResponse => ({
  statusCode: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

export const noContent: HttpResponse = { statusCode: 204 };

/** RFC 9110, section 11.6.1: every 401 says how to authenticate. */
function challengeOf({ code }: Refusal): Record<string, string> {
  if (problems[code].status !== 401) return {};
  return { 'www-authenticate': code === 'unauthorized' ? 'Bearer error="invalid_token"' : 'OMI-Device' };
}

/** Where the caller called the API. Only a local one is called by http. */
const addressOf = ({ headers, requestContext: { domainName } }: ApiEvent): string =>
  headers['x-forwarded-proto'] === 'http'
    ? `http://${domainName}:${headers['x-forwarded-port']}`
    : `https://${domainName}`;

export function problemResponse(refusal: Refusal, event: ApiEvent): HttpResponse {
  const { retryAfter } = refusal.options;
  const { requestId: traceId } = event.requestContext;
  return {
    statusCode: problems[refusal.code].status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...challengeOf(refusal),
    },
    body: JSON.stringify(problemDocument(refusal, traceId, addressOf(event))),
  };
}
