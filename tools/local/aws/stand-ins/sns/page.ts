import type { Form, XmlElement } from '../../protocols/query.ts';

/** SNS lists this many applications or endpoints at once. */
const pageSize = 100;

/** One page of a list. The token is the position of the next page. */
export function page(name: string, members: readonly XmlElement[], form: Form): XmlElement[] {
  const start = Number(form['NextToken'] ?? 0);
  const end = start + pageSize;
  const list: XmlElement = [name, members.slice(start, end)];
  return end < members.length ? [list, ['NextToken', String(end)]] : [list];
}
