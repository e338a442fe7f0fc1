import { withoutForeignExceptions } from './foreign-exceptions.ts';

const constant = /^const (_\w+) = ("[^"\\]*");\n/gm;

/** A client's schemas name every string they use, most of them once: the name costs more than it saves. */
export function shortSchemas(text: string, path: string): string {
  const rest = withoutForeignExceptions(text, path);
  const uses = Map.groupBy(rest.matchAll(/\b_\w+\b/g), ([name]) => name);
  const once = new Map<string, string>();
  const inlined = rest.replaceAll(constant, (whole, name: string, value: string) => {
    if (uses.get(name)?.length !== 2) return whole;
    once.set(name, value);
    return '';
  });
  if (once.size === 0) throw new Error('it has no named strings of the known form');
  return inlined.replaceAll(/\b_\w+\b/g, (name) => once.get(name) ?? name);
}
