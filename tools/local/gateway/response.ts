import type { OutgoingHttpHeaders } from 'node:http';
import { type GatewayError, gatewayErrors } from './errors.ts';

export type GatewayResponse = { status: number; headers: OutgoingHttpHeaders; body: Buffer | string };

/** A Lambda's response in payload format 2.0. */
type LambdaResponse = {
  statusCode: unknown;
  headers?: Record<string, unknown> | null;
  cookies?: string[] | null;
  body?: string | null;
  isBase64Encoded?: boolean | null;
};

/** Without a schema, which would take longer than all else that the gateway does for a call. */
function isLambdaResponse(payload: object): payload is LambdaResponse {
  const {
    headers = null,
    cookies = null,
    body = null,
    isBase64Encoded = null,
  } = payload as Record<string, unknown>;
  return (
    (body === null || typeof body === 'string') &&
    (headers === null || (typeof headers === 'object' && !Array.isArray(headers))) &&
    (cookies === null || (Array.isArray(cookies) && cookies.every((one) => typeof one === 'string'))) &&
    (isBase64Encoded === null || typeof isBase64Encoded === 'boolean')
  );
}

/**
 * The HTTP response for a Lambda's result.
 *
 * @throws {GatewayError} if the result has a status code, but is invalid otherwise
 */
export function gatewayResponseOf(payload: unknown): GatewayResponse {
  if (typeof payload !== 'object' || payload === null || !('statusCode' in payload)) return inferred(payload);
  if (!isLambdaResponse(payload)) throw gatewayErrors.internalError();
  const status = Number(payload.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) throw gatewayErrors.internalError();
  const { cookies, body, isBase64Encoded } = payload;
  const headers: OutgoingHttpHeaders = hasBody(status) ? { 'content-type': 'text/plain; charset=utf-8' } : {};
  passHeaders(payload.headers ?? {}, headers);
  if (cookies && cookies.length > 0) headers['set-cookie'] = cookies;
  if (!hasBody(status)) return { status, headers, body: '' };
  return { status, headers, body: isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? '') };
}

/** A result without a status code becomes the JSON body of a 200. */
function inferred(payload: unknown): GatewayResponse {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

export function errorResponse({ status, message }: GatewayError): GatewayResponse {
  const body = JSON.stringify({ message });
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** RFC 9110, sections 6.4.1 and 15. */
export const hasBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;

function passHeaders(headers: Record<string, unknown>, passed: OutgoingHttpHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) throw gatewayErrors.internalError();
    const lower = name.toLowerCase();
    if (!gatewaysOwnHeaders.has(lower)) passed[remappedHeaders.get(lower) ?? lower] = String(value);
  }
}

/** The gateway sets these headers itself. */
const gatewaysOwnHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** API Gateway renames it, so that browsers open no login dialog. */
const remappedHeaders = new Map([['www-authenticate', 'x-amzn-remapped-www-authenticate']]);
