import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { invalidField, Refusal } from '../domain/refusal.ts';
import type { ApiEvent } from './api-event.ts';

/** Bytes: far above every valid body of the endpoints that use this, far below what costs time. */
const largestBody = 64 * 1024;

const sizeOf = ({ body = '', isBase64Encoded }: ApiEvent): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

function checkSize(event: ApiEvent): void {
  if (sizeOf(event) <= largestBody) return;
  throw new Refusal('too-large', `Expected a body of at most ${largestBody} bytes.`);
}

function checkMediaType(event: ApiEvent, expected: string): void {
  const [mediaType = ''] = (event.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() === expected) return;
  throw new Refusal('unsupported-media-type', `Expected the header Content-Type: ${expected}.`);
}

const parser = httpJsonBodyParser();

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the body by the object that it holds as JSON. */
export const jsonBody: MiddlewareObj<ApiEvent> = {
  before: async (request) => {
    checkSize(request.event);
    checkMediaType(request.event, 'application/json');
    try {
      await parser.before?.(request as never);
    } catch {
      throw invalidField('', 'expected a JSON text (RFC 8259)');
    }
    if (!isObject(request.event.body)) throw invalidField('', 'expected a JSON object');
  },
};

/** Replaces the body by the text of the JWS that it holds; the gateway passes such a body as base64. */
export const signedBody: MiddlewareObj<ApiEvent> = {
  before: ({ event }) => {
    checkSize(event);
    checkMediaType(event, 'application/jose');
    event.body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
      .toString('utf8')
      .trim();
  },
};
