export type Body = string | Uint8Array<ArrayBuffer> | URLSearchParams | FormData | ReadableStream;

/** A body that a parser such as `express.json()` has read already, as bytes or text again. */
export function rebuiltBody(body: unknown, type: string): Body | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return body as string | Uint8Array<ArrayBuffer>;
  if (typeof body !== 'object' || body === null) return undefined;
  if (/\bjson\b/i.test(type)) return JSON.stringify(body);
  if (type.startsWith('application/x-www-form-urlencoded')) return fill(new URLSearchParams(), body);
  if (type.startsWith('multipart/form-data')) return fill(new FormData(), body);
  // Some parsers leave an empty object where there was no body.
  return undefined;
}

function fill<Form extends URLSearchParams | FormData>(form: Form, fields: object): Form {
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) if (typeof one === 'string') form.append(name, one);
  return form;
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
