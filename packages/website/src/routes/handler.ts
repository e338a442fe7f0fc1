import { Refused } from './refused.ts';

/** Answers a request; `id` is the last part of a path that has one, and `native` the framework's own request. */
export type Handler<Native> = (request: Request, id: string, native: Native) => Promise<Response>;

/** Handlers by path below the routes' own and by method. A slash at the end of a path stands for an id behind it. */
export type Table<Native> = Record<string, Record<string, Handler<Native>>>;

/** @throws {Refused} for a path or method that the table does not have */
export async function dispatch<Native>(
  table: Table<Native>,
  base: string,
  request: Request,
  native: Native,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const below = pathname.startsWith(`${base}/`) ? pathname.slice(base.length + 1) : '';
  const [, path = '', id = ''] = /^([a-z]+\/?)([^/]*)$/.exec(below) ?? [];
  const handlers = path.endsWith('/') === (id !== '') && own(table, path);
  if (!handlers) throw new Refused(404, 'not-found', 'This path is unknown.');
  const handler = own(handlers, request.method);
  if (handler) return await handler(request, id, native);
  const allow = Object.keys(handlers).join(', ');
  throw new Refused(405, 'method-not-allowed', `Use ${allow}.`, { allow });
}

/** Requests choose the name, so inherited members must not count. */
const own = <Value>(record: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
