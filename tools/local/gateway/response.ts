import type { OutgoingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import { type GatewayError, gatewayErrors } from './errors.ts';

export type GatewayResponse = { status: number; headers: OutgoingHttpHeaders; body: Buffer };

const headerValue = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));

/** A Lambda's response in payload format 2.0. */
const lambdaResponse = v.object({
  statusCode: v.pipe(v.unknown(), v.toNumber(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.optional(v.nullable(v.record(v.string(), headerValue)), {}),
  cookies: v.optional(v.nullable(v.array(v.string())), []),
  body: v.optional(v.nullable(v.string()), ''),
  isBase64Encoded: v.optional(v.nullable(v.boolean()), false),
});

/**
 * The HTTP response for a Lambda's result.
 *
 * @throws {GatewayError} if the result has a status code, but is invalid otherwise
 */
export function gatewayResponseOf(payload: unknown): GatewayResponse {
  if (typeof payload !== 'object' || payload === null || !('statusCode' in payload)) return inferred(payload);
  const result = v.safeParse(lambdaResponse, payload);
  if (!result.success) throw gatewayErrors.internalError();
  const { statusCode: status, cookies, isBase64Encoded } = result.output;
  const body = Buffer.from(result.output.body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const headers = {
    ...(hasBody(status) && { 'content-type': 'text/plain; charset=utf-8' }),
    ...passedHeaders(result.output.headers ?? {}),
    ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
  };
  return { status, headers, body: hasBody(status) ? body : Buffer.alloc(0) };
}

/** A result without a status code becomes the JSON body of a 200. */
function inferred(payload: unknown): GatewayResponse {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}

export function errorResponse({ status, message }: GatewayError): GatewayResponse {
  const body = Buffer.from(JSON.stringify({ message }));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** RFC 9110, sections 6.4.1 and 15. */
export const hasBody = (status: number): boolean => status >= 200 && status !== 204 && status !== 304;

function passedHeaders(headers: Record<string, string>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const passed = named.filter(([name]) => !GATEWAYS_OWN_HEADERS.has(name));
  return Object.fromEntries(passed.map(([name, value]) => [REMAPPED_HEADERS.get(name) ?? name, value]));
}

/** The gateway sets these headers itself. */
const GATEWAYS_OWN_HEADERS = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** API Gateway renames it, so that browsers open no login dialog. */
const REMAPPED_HEADERS = new Map([['www-authenticate', 'x-amzn-remapped-www-authenticate']]);
