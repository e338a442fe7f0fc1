import { Problem } from './problem.ts';

/** Far above every form of the page. */
const largestBytes = 16 * 1024;

/**
 * The request with its whole body in memory, so that several parts can read it.
 *
 * @throws {Problem} if the body is larger than any form of the page
 */
export async function withWholeBody(request: Request): Promise<Request> {
  if (!request.body) return request;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
    size += chunk.byteLength;
    if (size > largestBytes)
      throw new Problem('The request is too large.', { status: 413, code: 'too-large' });
    chunks.push(chunk);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: new Blob(chunks) });
}

export type Fields = Partial<Record<string, string>>;

/**
 * The texts of a form or a JSON object. The request can still be read.
 *
 * @throws {Problem} if it is neither
 */
export async function fieldsOf(request: Request): Promise<Fields> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const text = await request.clone().text();
  if (type === 'application/x-www-form-urlencoded') return onlyTexts([...new URLSearchParams(text)]);
  if (type === 'application/json') return onlyTexts(membersOf(text));
  throw new Problem('Send a form or JSON.', { status: 415, code: 'unsupported-media-type' });
}

function membersOf(text: string): [string, unknown][] {
  try {
    return Object.entries(Object(JSON.parse(text)) as object);
  } catch {
    throw new Problem('The body is not valid JSON.', { status: 400, code: 'invalid-request' });
  }
}

/** A field that comes twice would let two readers see two values. */
function onlyTexts(entries: readonly [string, unknown][]): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of entries) {
    if (typeof value !== 'string') continue;
    if (fields.has(name))
      throw new Problem('A field is repeated.', { status: 400, code: 'invalid-request', field: name });
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
