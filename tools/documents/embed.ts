/**
 * Puts the files that a page shows into it, or with --check fails where the page shows something else. A file belongs into the
 * fenced block behind its mark, `<!-- file: examples/… -->`:
 *
 *     node tools/documents/embed.ts [--check] [page]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';

const docs = join(import.meta.dirname, '../../docs');

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' } },
  allowPositionals: true,
});
const [page = join(docs, 'tenants.md')] = positionals;

const languages: Record<string, string> = {
  '.ts': 'ts',
  '.py': 'python',
  '.js': 'js',
  '.html': 'html',
  '.json': 'json',
  '.jsonl': 'json',
};

const block = /^<!-- file: (\S+) -->\n\n```\w*\n.*?^```$/gms;

const embed = (_: string, path: string): string => {
  const text = readFileSync(join(docs, path), 'utf8').trimEnd();
  return `<!-- file: ${path} -->\n\n\`\`\`${languages[extname(path)] ?? ''}\n${text}\n\`\`\``;
};

const written = readFileSync(page, 'utf8');
const text = written.replace(block, embed);
if (!values.check) writeFileSync(page, text);
else if (text !== written) {
  console.error(`${page} does not show the files that it names: run npm run docs:generate.`);
  process.exitCode = 1;
}
