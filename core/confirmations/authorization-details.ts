import * as v from 'valibot';
import { sha256 } from '../kernel/identifiers.ts';
import { pointerSegment } from '../kernel/json-pointer.ts';
import { isDeeperThan, isList, isObject, isPrototypeMember } from '../kernel/json.ts';
import type { FieldFault } from '../kernel/refusal.ts';
import { ambiguitiesOf } from '../kernel/strict-json.ts';
import { shownCharacters, visible } from '../kernel/text.ts';

/** Bytes of the text in UTF-8: what a person can still read on a device. */
export const largestDetailsBytes = 4096;

/** Levels of nested lists and objects, with the outermost list. */
export const deepestDetails = 5;

export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** Rich authorization details (RFC 9396). The device shows `text` and signs its hash. */
export type AuthorizationDetails = {
  text: string;
  /** base64url SHA-256 of the text's UTF-8 bytes. */
  hash: string;
  details: readonly AuthorizationDetail[];
};

/** Pointers refer to the list. */
export type InvalidDetails = { faults: FieldFault[] };

const fault = (pointer: string, detail: string): FieldFault => ({ pointer, detail });

function* textFaults(text: string, pointer: string): Generator<FieldFault, void> {
  for (const { message } of v.safeParse(shownCharacters, text).issues ?? []) yield fault(pointer, message);
}

/** Names and strings at every level. */
function* characterFaults(value: unknown, pointer: string): Generator<FieldFault, void> {
  if (typeof value === 'string') yield* textFaults(value, pointer);
  if (!isList(value) && !isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${pointerSegment(name)}`;
    if (isPrototypeMember(name, inner)) yield fault(at, 'expected no such member');
    yield* textFaults(name, at);
    yield* characterFaults(inner, at);
  }
}

const hasType = (entry: Record<string, unknown>): boolean =>
  Object.hasOwn(entry, 'type') && typeof entry['type'] === 'string' && visible.test(entry['type']);

function* entryFaults(entries: readonly unknown[]): Generator<FieldFault, void> {
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry)) yield fault(`/${index}`, 'expected an object');
    else if (!hasType(entry)) yield fault(`/${index}/type`, 'expected a string with a visible character');
  }
}

const shapeFault = (given: unknown): FieldFault | undefined => {
  if (!isList(given) || given.length === 0)
    return fault('', 'expected a list of one or more objects, each with a type (RFC 9396)');
  if (!isDeeperThan(deepestDetails, given)) return undefined;
  return fault('', `expected at most ${deepestDetails} levels of lists and objects`);
};

const sizeFault = (text: string): FieldFault | undefined =>
  Buffer.byteLength(text) > largestDetailsBytes
    ? fault('', `expected at most ${largestDetailsBytes} bytes of JSON text in UTF-8`)
    : undefined;

/** Shape and size come first, so that the other checks have little to read. */
function parse(given: unknown, textOf: () => string): AuthorizationDetails | InvalidDetails {
  const first = shapeFault(given) ?? sizeFault(textOf());
  if (first) return { faults: [first] };
  const details = given as readonly AuthorizationDetail[];
  const text = textOf();
  const faults = [
    ...ambiguitiesOf(text, deepestDetails),
    ...entryFaults(details),
    ...characterFaults(details, ''),
  ];
  return faults.length > 0 ? { faults } : { text, hash: sha256(text), details };
}

function parseText(text: string): AuthorizationDetails | InvalidDetails {
  const tooLarge = sizeFault(text);
  if (tooLarge) return { faults: [tooLarge] };
  try {
    return parse(JSON.parse(text), () => text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { faults: [fault('', 'expected a JSON text (RFC 8259)')] };
  }
}

/**
 * Checks rich authorization details of any type. They are shown and signed, so everybody must read them in the same
 * way: no duplicate member, no number that a double changes, and only the characters that a message may have.
 *
 * @param given the JSON text, which is kept as it is, or a list that was parsed from an unambiguous text
 */
export const parseAuthorizationDetails = (given: unknown): AuthorizationDetails | InvalidDetails =>
  typeof given === 'string' ? parseText(given) : parse(given, () => JSON.stringify(given));
