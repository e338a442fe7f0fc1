import * as v from 'valibot';
import type { Fail } from '../packages/http/src/call-error.ts';
import { exchange as exchangeText } from '../packages/http/src/exchange.ts';
import { failureSchema, type Failure } from './contract.ts';

/** Longer than the 30 s within which the API answers. */
const longestAnswerMs = 35_000;

export type HttpRequest = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

type Received = { status: number; headers: Headers; text: string };

/** The response: the expected body for 2xx, otherwise a problem document. */
export type Answer<Body> = Received & ({ ok: true; body: Body } | { ok: false; body: Failure });

/** An error that the user can act on: shown in one line, without a stack trace. */
export class ClientError extends Error {
  override name = 'ClientError';
}

export const fail: Fail = (_, { detail }) => new ClientError(detail);

/** Sends one request, and reads the whole response. Throws if a success does not have the expected form. */
export async function exchange<Body>(
  request: HttpRequest,
  success: v.GenericSchema<unknown, Body>,
): Promise<Answer<Body>> {
  const received = await send(request);
  const json = parseJson(received);
  if (received.status >= 300) return { ...received, ok: false, body: readFailure(json) };
  const body = v.safeParse(success, json);
  if (body.success) return { ...received, ok: true, body: body.output };
  const faults = body.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
  throw new ClientError(`${request.method} ${request.url} answered ${received.status}. ${faults.join('; ')}`);
}

/** The body of a success. Throws for a failure, with its code and detail. */
export function bodyOf<Body>(answer: Answer<Body>): Body {
  if (answer.ok) return answer.body;
  const { code, detail, message } = answer.body;
  const what = [code, detail ?? message].filter(Boolean).join(': ');
  throw new ClientError(`The service answered ${answer.status} ${what}`.trimEnd());
}

async function send({ body, ...request }: HttpRequest): Promise<Received> {
  // As bytes, because fetch adds a content type to strings.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return await exchangeText(
    { fetch, fail },
    { ...request, ...(bytes && { body: bytes }), patienceMs: longestAnswerMs },
  );
}

function parseJson({ text }: Received): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readFailure(json: unknown): Failure {
  const failure = v.safeParse(failureSchema, json);
  return failure.success ? failure.output : {};
}
