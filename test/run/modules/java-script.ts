import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const sources = new Map<string, string>();

/** Types are blanked out, so that lines and columns stay. A file does not change while tests run. */
export function javaScriptOf(path: string): string {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  sources.set(path, source);
  return source;
}
