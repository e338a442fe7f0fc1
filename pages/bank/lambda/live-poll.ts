const pauseMs = 2_000;

/**
 * An HTTP API cannot stream. So the live messages that are there are the whole answer, and the browser asks again after a pause
 * with the id of the last one (WHATWG HTML, section 9.2). Other answers stay as they are.
 *
 * @param idle resolves when there are no more messages
 */
export async function bufferedLive(response: Response, idle: Promise<unknown>): Promise<Response> {
  const { body, status, headers } = response;
  if (!body || headers.get('content-type') !== 'text/event-stream') return response;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  const end = idle.then(() => undefined);
  for (;;) {
    const read = await Promise.race([reader.read(), end]);
    if (!read?.value) break;
    chunks.push(read.value);
  }
  await reader.cancel();
  return new Response(`${Buffer.concat(chunks).toString()}retry: ${pauseMs}\n\n`, { status, headers });
}
