import type { OutgoingHttpHeaders } from 'node:http';
import type { RecordedCall } from '../aws/endpoint/call-log.ts';
import type { Exchange } from './exchange.ts';
import { redacted, redactedPairs } from './redact.ts';

/** What a device showed its user of a request. */
export type Screen = { challengeId: string; message: string; details?: unknown; context?: unknown };

/** A call, as the page shows it. */
export type Shown = {
  id: number;
  traceId: string;
  at: number;
  tookMs: number;
  method: string;
  path: string;
  query: Record<string, string>;
  status: number;
  lambda: string;
  caller: string;
  request: unknown;
  answer: unknown;
  problem?: { code: string; detail: string };
  /** The request that the call is about. */
  challengeId?: string;
  screens: Screen[];
  aws: { service: string; operation: string; resources: readonly string[] }[];
};

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestShown = 20_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bodies that are no JSON may be secrets as a whole: signed messages of devices, for example. */
function bodyOf(body: Buffer | string, contentType: string, isRequest: boolean): unknown {
  const text = body.toString();
  if (text === '') return undefined;
  if (text.length > longestShown) return `${text.length} characters of ${contentType}`;
  if (contentType.startsWith('application/x-www-form-urlencoded'))
    return redactedPairs(new URLSearchParams(text));
  const value = parsed(text);
  return value === undefined ? `${text.length} characters of ${contentType}` : redacted(value, isRequest);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const headerOf = (headers: OutgoingHttpHeaders, name: string): string => textOf(headers[name]);

/** The client's id, or who else calls. */
function callerOf({ authorizer, route }: Exchange): string {
  if (isJson(authorizer)) {
    const [known] = [authorizer['clientId'], authorizer['memberId']].map(textOf).filter((id) => id !== '');
    if (known !== undefined) return known;
  }
  return route?.caller ?? 'unknown';
}

/** A device asks for its requests, and shows what the answer has. */
function screensIn({ route }: Exchange, answer: unknown): Screen[] {
  if (route?.lambda !== 'list-challenges' || !isJson(answer) || !Array.isArray(answer['challenges']))
    return [];
  return (answer['challenges'] as unknown[]).filter(isJson).map((challenge) => ({
    challengeId: textOf(challenge['challengeId']),
    message: textOf(challenge['message']),
    ...(challenge['authorizationDetails'] !== undefined && { details: challenge['authorizationDetails'] }),
    ...(challenge['context'] !== undefined && { context: parsed(textOf(challenge['context'])) }),
  }));
}

function challengeOf(path: string, answer: unknown): string | undefined {
  const inPath = /\/challenges\/([^/]+)/.exec(path)?.[1];
  const inAnswer = isJson(answer) ? textOf(answer['challengeId']) : '';
  return inPath ?? (inAnswer === '' ? undefined : inAnswer);
}

/** What may be seen of a call: no headers but the type of the body, and no secret. */
export function shownOf(id: number, exchange: Exchange, calls: readonly RecordedCall[]): Shown {
  const { requestId, at, tookMs, request, route, response } = exchange;
  const answerType = headerOf(response.headers, 'content-type');
  const answer = bodyOf(response.body, answerType, false);
  const path = request?.rawPath ?? '';
  const challengeId = challengeOf(path, answer);
  const isProblem = isJson(answer) && response.status >= 400;
  return {
    ...{ id, traceId: requestId, at, tookMs, path, status: response.status },
    method: request?.method ?? '',
    query: redactedPairs(new URLSearchParams(request?.rawQueryString)),
    lambda: route?.lambda ?? '',
    caller: callerOf(exchange),
    request: request && bodyOf(request.body, request.headers['content-type'] ?? '', true),
    answer,
    ...(isProblem && {
      problem: {
        code: textOf(answer['code'] ?? answer['error'] ?? answer['message']),
        detail: textOf(answer['detail'] ?? answer['error_description']),
      },
    }),
    ...(challengeId !== undefined && { challengeId }),
    screens: screensIn(exchange, answer),
    aws: calls.map(({ service, operation, resources }) => ({ service, operation, resources })),
  };
}
