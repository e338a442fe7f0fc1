import { Denied } from './denied.ts';

export type Body = string | Uint8Array<ArrayBuffer> | URLSearchParams | FormData | ReadableStream;

/** A body that a parser such as `express.json()` has read already, as bytes or text again. */
export function rebuiltBody(body: unknown, headers: Headers): Body | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return body as string | Uint8Array<ArrayBuffer>;
  if (typeof body !== 'object' || body === null) return undefined;
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (/\bjson\b/.test(type)) return JSON.stringify(body);
  if (type.startsWith('application/x-www-form-urlencoded'))
    return fill(new URLSearchParams(), sentFields(body, headers, formLengths));
  if (type.startsWith('multipart/form-data'))
    return fill(new FormData(), sentFields(body, headers, multipartLengths));
  // Some parsers leave an empty object where there was no body.
  return Object.keys(body).length > 0 ? refuseLost() : undefined;
}

type Field = readonly [name: string, value: string];

const fill = <Form extends URLSearchParams | FormData>(form: Form, fields: readonly Field[]): Form => {
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

/** How the values of a list may have been named: parsers make one list of all three. */
const namesInLists = [
  (name: string) => name,
  (name: string) => `${name}[]`,
  (name: string, index: number) => `${name}[${index}]`,
] as const;

/** The fields behind what a parser has made of them, such as `{ to: { iban: '…' } }` of `to[iban]`. */
function fieldsOf(value: unknown, name: string, nameInList: (typeof namesInLists)[number]): Field[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) =>
      fieldsOf(one, typeof one === 'string' ? nameInList(name, index) : `${name}[${index}]`, nameInList),
    );
  return Object.entries(value ?? {}).flatMap(([member, one]) =>
    fieldsOf(one, name === '' ? member : `${name}[${member}]`, nameInList),
  );
}

/**
 * What was sent: the fields that are as long as the body was. A parser that left out files or names, or joined them, has made of a
 * payment another one, so what cannot be told is refused.
 *
 * @throws {Denied} `invalid-request`
 */
function sentFields(
  body: object,
  headers: Headers,
  lengthsOf: (fields: readonly Field[], type: string) => number[],
): Field[] {
  const candidates = namesInLists.map((nameInList) => fieldsOf(body, '', nameInList));
  const [plain = []] = candidates;
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const isClear = candidates.every((fields) => fields.every(([name], index) => name === plain[index]?.[0]));
  // Without a length, nobody can tell whether the form had files, which are not among the fields.
  if (length === null && isClear && lengthsOf !== multipartLengths) return plain;
  const type = headers.get('content-type') ?? '';
  const isAsLong = (fields: readonly Field[]): boolean => {
    const [usual, ...others] = lengthsOf(fields, type);
    // A list may have another name, and then be as long by chance in another encoding.
    return usual === Number(length) || (isClear && others.includes(Number(length)));
  };
  const sent = candidates.find(isAsLong);
  if (sent !== undefined) return sent;
  return refuseLost();
}

/** @throws {Denied} `invalid-request` */
export function refuseLost(): never {
  throw new Denied(
    'A body parser has changed the form, so fields or files of it are lost. Mount these routes before the parser.',
    { code: 'invalid-request', status: 400 },
  );
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** As browsers encode a form, as `encodeURIComponent` does, and as it is. */
const encoders = [
  ([name, value]: Field) => new URLSearchParams([[name, value]]).toString(),
  ([name, value]: Field) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  ([name, value]: Field) => `${name}=${encodeURIComponent(value)}`,
  ([name, value]: Field) => `${name}=${value}`,
];

const formLengths = (fields: readonly Field[]): number[] =>
  encoders.map((encode) => bytesOf(fields.map(encode).join('&')));

/** As browsers write it: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function multipartLengths(fields: readonly Field[], type: string): number[] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  const line = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  const named = (name: string): string =>
    name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
  const parts = fields.map(
    ([name, value]) => `${line}\r\nContent-Disposition: form-data; name="${named(name)}"\r\n\r\n${value}\r\n`,
  );
  return [bytesOf(`${parts.join('')}${line}--\r\n`)];
}

/** A body that was not read yet. If the reader stops, the server handles the rest. */
export function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done === true) controller.close();
      else controller.enqueue(chunk.value);
    },
  });
}
