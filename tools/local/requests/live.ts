import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestRecorder } from './recorder.ts';

/** So that a page notices a stack that has ended. */
const heartbeatMs = 15_000;

/** Many calls at once are one message. */
const gatherMs = 100;

/** Server-sent events (WHATWG HTML, section 9.2): the calls that are kept, and each further one. */
export function serveLive(
  recorder: RequestRecorder,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  let last = Number(request.headers['last-event-id'] ?? 0) || 0;
  let gathering: NodeJS.Timeout | undefined;
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');

  const send = (): void => {
    gathering = undefined;
    for (const shown of recorder.after(last)) {
      last = shown.id;
      response.write(`id: ${shown.id}\ndata: ${JSON.stringify(shown)}\n\n`);
    }
  };
  const stop = recorder.watch(() => (gathering ??= setTimeout(send, gatherMs).unref()));
  const beating = setInterval(() => response.write(': heartbeat\n\n'), heartbeatMs).unref();
  response.once('close', () => {
    stop();
    clearInterval(beating);
    clearTimeout(gathering);
  });
  send();
}
