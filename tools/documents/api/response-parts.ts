import { ref } from './json-schema.ts';
import type { Content, Success } from './operation.ts';

export const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

export const headers = (retryAfter: boolean) => ({
  'Cache-Control': header('Cache-Control'),
  ...(retryAfter && { 'Retry-After': header('Retry-After') }),
});

const jsonOf = ({ schema, examples }: Content) => ({ 'application/json': { schema: ref(schema), examples } });

const filesOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

export function successResponse(success: Success) {
  const { description, content, files, cacheable = false, retryAfter = false } = success;
  return {
    description,
    headers: cacheable ? { 'Cache-Control': header('Cacheable') } : headers(retryAfter),
    ...(content && { content: jsonOf(content) }),
    ...(files && { content: filesOf(files) }),
  };
}

/** What the gateway says by itself, before the service is asked. */
export const gatewayAnswers = {
  401: 'The token is missing, not valid or expired, or of another issuer, or its client is unknown.',
  403: "The access token lacks the operation's scope, or the member of staff its group.",
  413: 'The body has more than 10 MB.',
  431: 'The headers have more than 10 KB.',
  429: 'Too many calls to the whole service: slow down.',
  503: 'The service did not answer in time.',
  '5XX': 'A fault of the service. Repeat the call with growing pauses.',
} as const;
export type GatewayStatus = keyof typeof gatewayAnswers;
