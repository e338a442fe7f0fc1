/** The part of `autocannon` that the benchmark uses: the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export type Options = {
    url: string;
    method?: 'GET' | 'POST';
    headers?: Record<string, string>;
    body?: string;
    requests?: { body?: string; path?: string }[];
    connections: number;
    /** Seconds. */
    duration: number;
    /** Requests of a connection before it is made anew. */
    reconnectRate?: number;
    setupClient: (client: EventEmitter) => void;
  };

  export default function autocannon(options: Options): Promise<{ errors: number; duration: number }>;
}
