import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Refusal } from '../domain/refusal.ts';
import { problemDocument, problems } from './problems.ts';

export type Answer = APIGatewayProxyStructuredResultV2;

export const json = (statusCode: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const noContent: Answer = { statusCode: 204 };

export function problem(refusal: Refusal, traceId: string): Answer {
  const { retryAfter } = refusal.options;
  return {
    statusCode: problems[refusal.code].status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(refusal.code === 'unauthorized' && { 'www-authenticate': 'Bearer error="invalid_token"' }),
    },
    body: JSON.stringify(problemDocument(refusal, traceId)),
  };
}
