import autocannon from 'autocannon';
import { percentile } from '../report.ts';

/** A poll, and the status of the answer while the user has not decided. */
export type Poll = {
  url: string;
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Sent in turns. */
  bodies?: string[];
  expectedStatus: number;
};

export type LoadOptions = { connections: number; seconds: number; keepAlive: boolean };

export type Load = { requests: number; requestsPerSecond: number; p50: number; p99: number };

/**
 * Sends each poll as soon as the previous one is answered. So the time of a poll is the time between two answers on a
 * connection. Without keep-alive it includes the new connection.
 *
 * @throws if an answer is not the expected one
 */
export async function load(poll: Poll, { connections, seconds, keepAlive }: LoadOptions): Promise<Load> {
  const times: number[] = [];
  const statuses = new Set<number>();
  const { bodies, expectedStatus, ...request } = poll;
  const { errors, duration } = await autocannon({
    ...request,
    ...(bodies && { requests: bodies.map((body) => ({ body })) }),
    connections,
    duration: seconds,
    ...(!keepAlive && { reconnectRate: 1 }),
    setupClient: (client) => {
      let since = performance.now();
      client.on('headers', ({ statusCode }: { statusCode: number }) => {
        const now = performance.now();
        times.push(now - since);
        statuses.add(statusCode);
        since = now;
      });
    },
  });
  statuses.delete(expectedStatus);
  if (errors > 0 || statuses.size > 0)
    throw new Error(`${poll.url}: ${errors} errors, and the statuses ${[...statuses].join(', ')}`);
  return {
    requests: times.length,
    requestsPerSecond: times.length / duration,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}
