import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Lines = {
  all: number;
  /** That check what the device signed. */
  evidence: number;
  /** That tie the confirmation to the session and the action, and let it be used once. */
  binding: number;
};

const docs = join(import.meta.dirname, '..', '..', 'docs');

const read = (path: string): string => readFileSync(join(docs, path), 'utf8');

/** Lines that are neither empty nor comments. */
export function codeLines(text: string): string[] {
  const withoutBlocks = text.replaceAll(/\/\*.*?\*\/|<!--.*?-->/gs, '');
  return withoutBlocks.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line));
}

/** The files that a page of the documentation tells its reader to save, by their names. */
export function savedFiles(page: string): Map<string, string> {
  const blocks = read(page).matchAll(/<!-- save: (\S+) -->\n\n```\w+\n(.*?)```/gs);
  return new Map([...blocks].map(([, name = '', content = '']) => [name, content]));
}

const count = (texts: readonly string[], pattern = /./): number =>
  texts.flatMap(codeLines).filter((line) => pattern.test(line)).length;

/** The website of docs/websites-by-hand.md: the calls, the check, the shop, its page. */
export function linesByHand(): Lines {
  const evidence = read('examples/typescript/evidence.ts');
  const shop = read('examples/typescript/shop.ts');
  const others = ['typescript/step-up.ts', 'by-hand/shop.html', 'by-hand/shop-page.js'];
  return {
    all: count([evidence, shop, ...others.map((name) => read(`examples/${name}`))]),
    evidence: count([evidence]) + count([shop], /verifyConfirmed/),
    binding: count([shop], /session|nonce|payments\b|Payment\b|isPaid|payOnce|\bgone\b/),
  };
}

/** The website of docs/step-up-in-ten-minutes.md, without the page that enrols: the one by hand has none. */
export function linesWithPackages(): Lines {
  const files = savedFiles('step-up-in-ten-minutes.md');
  const server = files.get('server.mjs') ?? '';
  return {
    all: count([server, files.get('public/index.html') ?? '']),
    evidence: count([server], /evidence/i),
    binding: count([server], /session|consume|omi-confirmation/i),
  };
}
