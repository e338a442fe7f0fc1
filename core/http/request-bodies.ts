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

const textOf = ({ body = '', isBase64Encoded }: ApiEvent): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

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
    const text = isMissing ? '{}' : textOf(event);
    try {
      event.body = parse(text) as string;
    } catch (error) {
      throw unreadable(error);
    }
    if (!isObject(event.body)) throw invalidField('', 'expected a JSON object');
    const refusal = refuseAmbiguities?.(withoutNeedlessEscapes(text));
    if (refusal) throw refusal;
  },
});

/** Replaces the body with the text of the JWS; the gateway passes it as base64. */
export const signedBody: MiddlewareObj<ApiEvent> = {
  before: ({ event }) => {
    checkSize(event, largestMessageBytes);
    checkMediaType(event, 'application/jose');
    event.body = textOf(event);
  },
};

/**
 * The text of a form; the gateway passes it as base64.
 *
 * @throws {Refusal} `too-large`, `unsupported-media-type`
 */
export function formText(event: ApiEvent): string {
  checkSize(event, usualLimitBytes);
  checkMediaType(event, 'application/x-www-form-urlencoded');
  return textOf(event);
}
