import type { Routes } from '#website';
import type { Call, Reply } from './page-server.ts';

type Sent = Pick<Call, 'method' | 'path' | 'body' | 'headers'>;

/** What a page has sent, as a web request to this website. */
export const requestOf = (origin: string, { method, path, body, headers }: Sent): Request =>
  new Request(`${origin}${path}`, {
    method,
    headers: Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
    body: body === '' ? null : body,
  });

/** Answers a page's calls as the routes of `@omi/website` do. */
export const answerBy =
  (routes: Routes, origin: string) =>
  async (call: Call): Promise<Reply> => {
    const response = await routes(requestOf(origin, call));
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after');
    return {
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
    };
  };
