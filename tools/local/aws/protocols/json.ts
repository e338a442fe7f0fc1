import type { AwsResponse, AwsRequest, Backend } from '../endpoint/http.ts';
import type { Batch } from './service.ts';

export type JsonObject = Record<string, unknown>;

/** The operation's name and input in AWS JSON 1.0 and 1.1. */
export function parseJson(request: AwsRequest): { operation: string; input: JsonObject } {
  const target = String(request.headers['x-amz-target'] ?? '');
  return { operation: target.slice(target.lastIndexOf('.') + 1), input: parseObject(request.body) };
}

export function jsonResponse(status: number, value: unknown): AwsResponse {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(value) };
}

export function withInput(request: AwsRequest, input: JsonObject): AwsRequest {
  const body = Buffer.from(JSON.stringify(input));
  return { ...request, headers: { ...request.headers, 'content-length': String(body.length) }, body };
}

/** An empty object for an invalid body, which the emulator then rejects. */
export function parseObject(body: Buffer | string): JsonObject {
  try {
    return asObject(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The non-empty strings among the values, in order. */
export function strings(...values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string' && value !== '').map(String);
}

export type ListBatch = Batch & {
  /** The input's member that holds the entries. */
  entries: string;
  /** Merges the results of the passed entries with the failures, both by position. */
  merge(output: JsonObject, failed: ReadonlyMap<number, JsonObject>): JsonObject;
};

/** Forwards the entries of a batch, except the failing ones. */
export async function failListEntries(batch: ListBatch, backend: Backend): Promise<AwsResponse> {
  const all = asArray(batch.operation.input[batch.entries]);
  const failed = new Map([...batch.failing].map((index) => [index, asObject(all[index])]));
  const others = all.filter((_, index) => !failed.has(index));
  if (others.length === 0) return jsonResponse(200, batch.merge({}, failed));
  const input = { ...batch.operation.input, [batch.entries]: others };
  const answer = await backend(withInput(batch.request, input));
  return answer.status === 200 ? jsonResponse(200, batch.merge(parseObject(answer.body), failed)) : answer;
}

/** The results of all entries in their order: failures by position, the others from the emulator. */
export function inPlace(results: unknown, failed: ReadonlyMap<number, unknown>): unknown[] {
  const rest = [...asArray(results)];
  const count = rest.length + failed.size;
  return Array.from({ length: count }, (_, index) => failed.get(index) ?? rest.shift());
}
