/** Types of the part of `autocannon` that the benchmark uses, because the package has none. */
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
    /** Requests on a connection before it is replaced. */
    reconnectRate?: number;
    setupClient: (client: EventEmitter) => void;
  };

  export default function autocannon(options: Options): Promise<{ errors: number; duration: number }>;
}
