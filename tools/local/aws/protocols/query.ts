import { randomUUID } from 'node:crypto';
import type { AwsResponse, AwsRequest } from '../endpoint/http.ts';
import { escapeXml } from './errors.ts';

/** Parameters of the query protocol, with flat names such as `Attributes.entry.1.key`. */
export type Form = Record<string, string>;

export function parseForm(request: AwsRequest): { operation: string; input: Form } {
  const input = Object.fromEntries(new URLSearchParams(request.body.toString()));
  return { operation: input['Action'] ?? '', input };
}

/** A map of the query protocol: `<prefix>.entry.N.<key>` and `.<value>`. */
export function formMap(form: Form, prefix: string): Map<string, string> {
  const map = new Map<string, string>();
  for (let n = 1; ; n += 1) {
    const key = form[`${prefix}.entry.${n}.key`];
    if (key === undefined) return map;
    map.set(key, form[`${prefix}.entry.${n}.value`] ?? '');
  }
}

/** Text, which is escaped, or nested elements. */
export type Xml = string | readonly XmlElement[];
export type XmlElement = readonly [name: string, content: Xml];

export function queryResponse(
  operation: string,
  namespace: string,
  result: readonly XmlElement[],
): AwsResponse {
  const content = `<${operation}Result>${writeXml(result)}</${operation}Result>`;
  const metadata = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: `<${operation}Response xmlns="${namespace}">${content}${metadata}</${operation}Response>`,
  };
}

export function xmlMap(name: string, entries: Iterable<readonly [string, string]>): XmlElement {
  const elements = [...entries].map(([key, value]): XmlElement => [
    'entry',
    [
      ['key', key],
      ['value', value],
    ],
  ]);
  return [name, elements];
}

export function writeXml(content: Xml): string {
  if (typeof content === 'string') return escapeXml(content);
  return content.map(([name, inner]) => `<${name}>${writeXml(inner)}</${name}>`).join('');
}
