import type { MiddlewareObj } from '@middy/core';
import { largestMessageBytes } from '../devices/protocol/compact.ts';
import {
  isObject,
  isPrototypeMember,
  parseJson,
  reviveJson,
  withoutNeedlessEscapes,
} from '../kernel/json.ts';
import { invalidField, Refusal } from '../kernel/refusal.ts';
import { decodeUtf8 } from '../kernel/utf8.ts';
import { invalidRequest } from '../openid/oauth-error.ts';
import type { ApiEvent } from './api-event.ts';

/** Bytes: far above every valid body of most endpoints, and fast to parse. */
const usualLimitBytes = 64 * 1024;

const sizeOf = ({ body = '', isBase64Encoded }: ApiEvent): number =>
  Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');

function checkSize(event: ApiEvent, largestBodyBytes: number): void {
  if (sizeOf(event) <= largestBodyBytes) return;
  throw new Refusal('too-large', `Expected a body of at most ${largestBodyBytes} bytes.`);
}

function checkMediaType(event: ApiEvent, expected: string): void {
  const [mediaType = ''] = (event.headers['content-type'] ?? '').split(';');
  if (mediaType.trim().toLowerCase() === expected) return;
  throw new Refusal('unsupported-media-type', `Expected the header Content-Type: ${expected}.`);
}

/** @throws {TypeError} for bytes that are not UTF-8 */
const textOf = ({ body = '', isBase64Encoded }: ApiEvent): string =>
  isBase64Encoded ? decodeUtf8(Buffer.from(body, 'base64')) : body;

const parsePlain = (text: string): unknown => reviveJson(text, (_name, value) => value);

/** No valid body has members that could change a prototype. */
const parseGuarded = (text: string): unknown =>
  reviveJson(text, (name, value) => {
    if (isPrototypeMember(name, value)) throw invalidField('', `expected no member '${name}'`);
    return value;
  });

/** The parser is recursive: too many levels overflow its stack. */
const isTooDeep = (error: unknown): boolean => error instanceof Error && error.name === 'RangeError';

function unreadable(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof TypeError) return invalidField('', 'expected UTF-8 (RFC 8259, section 8.1)');
  return invalidField(
    '',
    isTooDeep(error) ? 'expected fewer levels of nesting' : 'expected a JSON text (RFC 8259)',
  );
}

export type JsonBodyOptions = {
  /** Bytes. */
  largestBodyBytes?: number;
  /** A request without a body counts as one with an empty object. */
  isOptional?: boolean;
  /** For bodies that are stored and passed on unchanged: numbers keep their text, and members may have any name. */
  exact?: boolean;
  /**
   * For bodies that are shown and signed: the refusal of what two readers could read differently. Their schema refuses members
   * that could change a prototype, each at its place.
   */
  refuseAmbiguities?: (text: string) => Refusal | undefined;
};

/** Replaces the body with the parsed JSON object. */
export const jsonBody = ({
  largestBodyBytes = usualLimitBytes,
  isOptional = false,
  exact = false,
  refuseAmbiguities,
}: JsonBodyOptions = {}): MiddlewareObj<ApiEvent> => ({
  before: ({ event }) => {
    checkSize(event, largestBodyBytes);
    const isMissing = isOptional && sizeOf(event) === 0;
    if (!isMissing) checkMediaType(event, 'application/json');
    const parse = exact ? parseJson : refuseAmbiguities ? parsePlain : parseGuarded;
    let text = '{}';
    try {
      if (!isMissing) text = textOf(event);
      event.body = parse(text) as string;
    } catch (error) {
      throw unreadable(error);
    }
    if (!isObject(event.body)) throw invalidField('', 'expected a JSON object');
    const refusal = refuseAmbiguities?.(withoutNeedlessEscapes(text));
    if (refusal) throw refusal;
  },
});

/** Replaces the body with the text of the JWS, which is ASCII; the gateway passes it as base64. */
export const signedBody: MiddlewareObj<ApiEvent> = {
  before: ({ event }) => {
    checkSize(event, largestMessageBytes);
    checkMediaType(event, 'application/jose');
    event.body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString('latin1');
  },
};

/**
 * The text of a form; the gateway passes it as base64.
 *
 * @throws {Refusal} `too-large`, `unsupported-media-type`
 * @throws {OAuthError} `invalid_request` for bytes that are not UTF-8
 */
export function formText(event: ApiEvent): string {
  checkSize(event, usualLimitBytes);
  checkMediaType(event, 'application/x-www-form-urlencoded');
  try {
    return textOf(event);
  } catch {
    throw invalidRequest('Expected a form in UTF-8.');
  }
}
