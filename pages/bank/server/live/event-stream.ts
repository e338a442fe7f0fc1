import type { LiveLog, Message, Topic } from './log.ts';

export type EventStreamOptions = {
  log: LiveLog;
  topics: readonly Topic[];
  /** Milliseconds since 1970. What happened before is left out. */
  since: number;
  /** The last id that the page has. */
  lastEventId: number;
  signal: AbortSignal;
  onEnd: () => void;
  heartbeatMs?: number;
  longestMs?: number;
};

/** Proxies close connections on which nothing comes. */
const usualHeartbeatMs = 15_000;
/** Then the page connects again, and its session is looked at anew. */
const usualLongestMs = 5 * 60_000;

/**
 * Server-sent events (WHATWG HTML, section 9.2). Messages are read from the log when the page takes them, so a slow page holds no
 * memory.
 */
export function eventStream(options: EventStreamOptions): Response {
  const {
    log,
    topics,
    since,
    signal,
    onEnd,
    heartbeatMs = usualHeartbeatMs,
    longestMs = usualLongestMs,
  } = options;
  const closing = new AbortController();
  const ending = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(longestMs)]);
  let last = options.lastEventId;
  let isFirst = true;

  const nextText = async (): Promise<string> => {
    const messages = log.after(topics, last);
    last = messages.at(-1)?.id ?? last;
    const texts = messages.filter(({ at }) => at >= since).map(textOf);
    if (isFirst) texts.unshift('retry: 1000\n\n');
    isFirst = false;
    if (texts.length > 0) return texts.join('');
    const heartbeat = AbortSignal.timeout(heartbeatMs);
    await log.next(topics, AbortSignal.any([ending, heartbeat]));
    return heartbeat.aborted ? ': heartbeat\n\n' : '';
  };

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const text = ending.aborted ? '' : await nextText();
          if (text !== '' && !closing.signal.aborted) {
            controller.enqueue(new TextEncoder().encode(text));
            return;
          }
          if (ending.aborted) break;
        }
        onEnd();
        if (!closing.signal.aborted) controller.close();
      },
      cancel() {
        closing.abort();
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
}

const textOf = ({ id, name, data }: Message): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
