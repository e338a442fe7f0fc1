import { ref } from './json-schema.ts';
import type { Success } from './operation.ts';

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

export const headers = (retryAfter: boolean) => ({
  'Cache-Control': header('Cache-Control'),
  ...(retryAfter && { 'Retry-After': header('Retry-After') }),
});

export function successResponse({ description, content, cacheable = false, retryAfter = false }: Success) {
  const { schema, examples } = content ?? {};
  return {
    description,
    headers: cacheable ? { 'Cache-Control': header('Cacheable') } : headers(retryAfter),
    ...(schema !== undefined && { content: { 'application/json': { schema: ref(schema), examples } } }),
  };
}

/** What the gateway says by itself, before the service is asked. */
export const gatewayAnswers = {
  401: 'The access token is missing, not valid or expired, or its client is unknown.',
  403: "The access token lacks the operation's scope.",
  413: 'The body has more than 10 MB.',
  431: 'The headers have more than 10 KB.',
  429: 'Too many calls to the whole service: slow down.',
  503: 'The service did not answer in time.',
  '5XX': 'A fault of the service. Repeat the call with growing pauses.',
} as const;
export type GatewayStatus = keyof typeof gatewayAnswers;
