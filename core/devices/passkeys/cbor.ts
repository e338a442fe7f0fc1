/** Levels of maps and lists. Outputs of registered extensions have two. */
const deepest = 4;

const malformed = (what: string): SyntaxError => new SyntaxError(`CBOR: ${what}`);

/** The first byte of an item, with its argument: a number, a length, or a count (RFC 8949, section 3). */
type Head = { major: number; argument: number; end: number };

/** Bytes of the argument after the first byte, by the additional information. Eight bytes would exceed every message. */
const argumentBytes = new Map([
  [24, 1],
  [25, 2],
  [26, 4],
]);

/** Only the shortest form of an argument, and no indefinite length, as CTAP2's canonical form requires. */
function readHead(bytes: Buffer, offset: number): Head {
  if (offset >= bytes.length) throw malformed('the item is cut off');
  const first = bytes.readUInt8(offset);
  const [major, info] = [first >> 5, first & 0x1f];
  if (info < 24) return { major, argument: info, end: offset + 1 };
  const size = argumentBytes.get(info);
  if (size === undefined || offset + 1 + size > bytes.length) throw malformed('the argument is not readable');
  const argument = bytes.readUIntBE(offset + 1, size);
  const smallest = size === 1 ? 24 : 2 ** (4 * size);
  if (argument < smallest) throw malformed('the argument is not in its shortest form');
  return { major, argument, end: offset + 1 + size };
}

function endOfItems(bytes: Buffer, offset: number, count: number, depth: number): number {
  if (depth === deepest) throw malformed(`more than ${deepest} levels`);
  let end = offset;
  for (let index = 0; index < count; index += 1) end = endOfItem(bytes, end, depth + 1);
  return end;
}

/** False, true and null. */
const simpleValues = [20, 21, 22];

function endOfItem(bytes: Buffer, offset: number, depth: number): number {
  const { major, argument, end } = readHead(bytes, offset);
  if (major <= 1) return end;
  if (major <= 3) return end + argument;
  if (major === 4) return endOfItems(bytes, end, argument, depth);
  if (major === 5) return endOfItems(bytes, end, 2 * argument, depth);
  if (major === 7 && simpleValues.includes(argument)) return end;
  throw malformed('tags, numbers with a fraction and unknown values are not allowed');
}

/**
 * Where the map that begins at the offset ends, possibly after the last byte. Its members are not read: they are outputs of extensions that the service did not request.
 *
 * @throws {SyntaxError} for anything but a map in CTAP2's canonical form (CTAP 2.1, section 8)
 */
export function endOfMap(bytes: Buffer, offset: number): number {
  const { major } = readHead(bytes, offset);
  if (major !== 5) throw malformed('expected a map');
  return endOfItem(bytes, offset, 0);
}
