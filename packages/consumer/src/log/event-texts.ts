import { ConsumerError } from '../consumer-error.ts';
import { type ObjectBody, readLines, textOf } from '../decode.ts';

const malformed = (): ConsumerError =>
  new ConsumerError('malformed-record', 'The data is not a record of OMI.');

/**
 * The events of a record as they were delivered, byte for byte: the log has hashes of these bytes, and another serialisation of
 * the same event would have another hash.
 *
 * @throws {ConsumerError} `malformed-record`
 */
export function eventTexts(data: string | Uint8Array): string[] {
  const text = textOf(data);
  const list = /^\s*\{\s*"events"\s*:\s*\[/u.exec(text);
  if (!list) throw malformed();
  const texts: string[] = [];
  let place = afterSpace(text, list[0].length);
  if (text[place] === ']') return texts;
  for (;;) {
    const end = endOfObject(text, place);
    texts.push(text.slice(place, end));
    place = afterSpace(text, end);
    if (text[place] === ']') return texts;
    if (text[place] !== ',') throw malformed();
    place = afterSpace(text, place + 1);
  }
}

/** The same for an object in a bucket, line by line. */
export async function* eventTextsOfObject(body: ObjectBody): AsyncGenerator<string> {
  yield* readLines(body, eventTexts);
}

function afterSpace(text: string, from: number): number {
  let place = from;
  while (place < text.length && ' \t\r\n'.includes(text.charAt(place))) place += 1;
  return place;
}

/** What can change how deep a text is. A string is skipped as a whole. */
const telling = /[{}"]/gu;

/** @returns the place behind the object that begins at `from` */
function endOfObject(text: string, from: number): number {
  if (text[from] !== '{') throw malformed();
  let depth = 0;
  telling.lastIndex = from;
  for (let found = telling.exec(text); found; found = telling.exec(text)) {
    if (found[0] === '"') telling.lastIndex = endOfString(text, found.index);
    else depth += found[0] === '{' ? 1 : -1;
    if (depth === 0) return telling.lastIndex;
  }
  throw malformed();
}

/** @returns the place behind the string that begins at `from` */
function endOfString(text: string, from: number): number {
  for (let place = text.indexOf('"', from + 1); place !== -1; place = text.indexOf('"', place + 1)) {
    let escapes = 0;
    while (text[place - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return place + 1;
  }
  throw malformed();
}
