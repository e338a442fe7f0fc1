/** What one session may see: its own calls, and the events of its user. */
export type Topic = `session:${string}` | `user:${string}`;

export type Message = {
  /** Ascending over all topics, also after a restart. */
  id: number;
  name: 'call' | 'event';
  /** Milliseconds since 1970: when it happened. */
  at: number;
  data: unknown;
};

/** Keeps the latest messages, so that a page that connects again misses nothing. */
export type LiveLog = {
  append(topic: Topic, message: Omit<Message, 'id'>): void;
  /** Those after an id, in order. */
  after(topics: readonly Topic[], id: number): Message[];
  /** Resolves at the next message of one of the topics, or at the abort. */
  next(topics: readonly Topic[], signal: AbortSignal): Promise<void>;
  /** Forgets a topic. */
  end(topic: Topic): void;
};

const mostMessages = 200;
const mostTopics = 500;

/** For one process. */
export function memoryLog(now: () => number = Date.now): LiveLog {
  // In order of their last message, so that the first was silent for longest.
  const topics = new Map<Topic, Message[]>();
  const waiting = new Map<Topic, Set<(value: undefined) => void>>();
  let lastId = 0;

  const wake = (topic: Topic): void => {
    for (const resolve of waiting.get(topic) ?? []) resolve(undefined);
  };

  return {
    append: (topic, message) => {
      lastId = Math.max(lastId + 1, now() * 1000);
      const messages = [...(topics.get(topic) ?? []), { id: lastId, ...message }].slice(-mostMessages);
      topics.delete(topic);
      topics.set(topic, messages);
      const [oldest] = topics.keys();
      if (topics.size > mostTopics && oldest) topics.delete(oldest);
      wake(topic);
    },
    after: (wanted, id) =>
      wanted
        .flatMap((topic) => topics.get(topic) ?? [])
        .filter((message) => message.id > id)
        .sort((one, other) => one.id - other.id),
    next: async (wanted, signal) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (signal.aborted) return;
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      for (const topic of wanted) waiting.set(topic, (waiting.get(topic) ?? new Set()).add(resolve));
      await promise;
      for (const topic of wanted) {
        waiting.get(topic)?.delete(resolve);
        if (waiting.get(topic)?.size === 0) waiting.delete(topic);
      }
    },
    end: (topic) => void topics.delete(topic),
  };
}
