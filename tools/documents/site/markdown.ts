import type { MarkdownRenderer } from 'vitepress';
import { diagramOf } from './diagrams.ts';
import { destinationOf, repositoryUrl } from './links.ts';
import { places } from './reader-paths.ts';

export type Repository = { url: string | undefined; revision: string };

const sources: ReadonlyMap<string, string> = new Map([...places].map(([source, place]) => [place, source]));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '&#123;');

type Env = { relativePath?: string };
type Token = Parameters<MarkdownRenderer['renderer']['render']>[0][number];

/** Links to files become links to the repository, or are named without a link. */
function relink(tokens: readonly Token[], source: string, { url, revision }: Repository): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'html_inline') token.content = repictured(token.content, source);
    if (token.type === 'image') token.attrSet('src', imageAt(source, String(token.attrGet('src'))));
    if (token.type === 'link_open') {
      open.push(token);
      const destination = destinationOf(source, String(token.attrGet('href')));
      if (destination.kind === 'page') token.attrSet('href', destination.href);
      if (destination.kind !== 'file') continue;
      const address = repositoryUrl(destination, url, revision);
      if (address !== undefined) {
        token.attrSet('href', address);
        continue;
      }
      token.tag = 'span';
      token.attrs = [
        ['class', 'in-repository'],
        ['title', `In the repository: ${destination.path}`],
      ];
    }
    if (token.type === 'link_close') token.tag = open.pop()?.tag ?? 'a';
  }
}

/** Pictures are files of the site's own. */
function imageAt(source: string, src: string): string {
  const destination = destinationOf(source, src);
  return destination.kind === 'file' ? `/${destination.path.replace(/^docs\//, '')}` : src;
}

/** Pictures in HTML, which have a width or a dark form. */
const repictured = (html: string, source: string): string =>
  html.replaceAll(
    /\b(src|srcset)="([^"]+)"/g,
    (_, name: string, src: string) => `${name}="${imageAt(source, src)}"`,
  );

/** Lets pages of the repository be pages of the site as they are. */
export function ofRepository(md: MarkdownRenderer, repository: Repository): void {
  md.core.ruler.push('links-of-repository', ({ tokens, env }) => {
    const source = sources.get((env as Env).relativePath ?? '');
    if (source === undefined) return;
    for (const token of tokens) {
      if (token.type === 'html_block') token.content = repictured(token.content, source);
      if (token.children) relink(token.children, source, repository);
    }
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid')
      return fence?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
    const { name, steps } = diagramOf(token.content);
    const items = steps.map((step) => `<li>${escaped(step)}</li>`).join('');
    return `<figure class="diagram"><figcaption>${name}</figcaption><ol>${items}</ol></figure>`;
  };
}
