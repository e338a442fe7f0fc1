import type { Form, XmlElement } from '../../protocols/query.ts';

/** How many applications or endpoints SNS lists at once. */
const PAGE_SIZE = 100;

/** One page of a list; the token is the position where the next one begins. */
export function page(name: string, members: readonly XmlElement[], form: Form): XmlElement[] {
  const start = Number(form['NextToken'] ?? 0);
  const end = start + PAGE_SIZE;
  const list: XmlElement = [name, members.slice(start, end)];
  return end < members.length ? [list, ['NextToken', String(end)]] : [list];
}
