import type { MiddlewareObj } from '@middy/core';
import { largestMessage } from '../devices/protocol/compact.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { invalidField, Refusal } from '../kernel/refusal.ts';
import type { ApiEvent } from './api-event.ts';

/** Bytes: far above every valid body of most endpoints, far below what costs time. */
const usualLimit = 64 * 1024;

const sizeOf = ({ body = '', isBase64Encoded }: ApiEvent): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

function checkSize(event: ApiEvent, largestBody: number): void {
  if (sizeOf(event) <= largestBody) return;
  throw new Refusal('too-large', `Expected a body of at most ${largestBody} bytes.`);
}

function checkMediaType(event: ApiEvent, expected: string): void {
  const [mediaType = ''] = (event.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() === expected) return;
  throw new Refusal('unsupported-media-type', `Expected the header Content-Type: ${expected}.`);
}

const textOf = ({ body = '', isBase64Encoded }: ApiEvent): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

/** Members through which a JavaScript object may be made to inherit: no body that is read here has them. */
const inherits = (name: string, value: unknown): boolean =>
  name === '__proto__' || (name === 'constructor' && isObject(value) && 'prototype' in value);

const parseGuarded = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => {
    if (inherits(name, value)) throw invalidField('', `expected no member '${name}'`);
    return value;
  });

/** The parser calls itself for each level, until its stack is full. */
const isTooDeep = (error: unknown): boolean => error instanceof Error && error.name === 'RangeError';

function unreadable(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return invalidField(
    '',
    isTooDeep(error) ? 'expected fewer levels of nesting' : 'expected a JSON text (RFC 8259)',
  );
}

export type JsonBodyOptions = {
  /** Bytes. */
  largestBody?: number;
  /** For what is stored and passed on as it came: numbers stay as they are written, and names are any. */
  exact?: boolean;
};

/** Replaces the body by the object that it holds as JSON. */
export const jsonBody = ({
  largestBody = usualLimit,
  exact = false,
}: JsonBodyOptions = {}): MiddlewareObj<ApiEvent> => ({
  before: ({ event }) => {
    checkSize(event, largestBody);
    checkMediaType(event, 'application/json');
    const parse = exact ? parseJson : parseGuarded;
    try {
      event.body = parse(textOf(event)) as string;
    } catch (error) {
      throw unreadable(error);
    }
    if (!isObject(event.body)) throw invalidField('', 'expected a JSON object');
  },
});

/** Replaces the body by the text of the JWS that it is; the gateway passes such a body as base64. */
export const signedBody: MiddlewareObj<ApiEvent> = {
  before: ({ event }) => {
    checkSize(event, largestMessage);
    checkMediaType(event, 'application/jose');
    event.body = textOf(event);
  },
};
