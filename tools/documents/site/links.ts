import { statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { places, root } from './reader-paths.ts';

/** As GitHub makes anchors of headings, so that the same links work here. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Where a link of a page leads at the site. */
export type Destination =
  /** A page of the site, as Markdown knows it. */
  | { kind: 'page'; href: string }
  /** A file or folder of the repository, from its root. */
  | { kind: 'file'; path: string; anchor: string; isFolder: boolean }
  /** Somewhere else, or in the same page. */
  | { kind: 'same' };

const isElsewhere = (href: string): boolean => /^([a-z][a-z+.-]*:|#|\/)/i.test(href);

/**
 * Pages keep the links that work in the repository.
 *
 * @param source the page with the link, from the root of the repository
 * @throws if the link leads to nothing
 */
export function destinationOf(source: string, href: string): Destination {
  if (isElsewhere(href)) return { kind: 'same' };
  const [target = '', anchor = ''] = decodeURI(href).split('#');
  const path = normalize(join(dirname(source), target)).replace(/\/$/, '');
  const place = places.get(path) ?? places.get(join(path, 'README.md'));
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (place !== undefined) return { kind: 'page', href: `/${place}${hash}` };
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) throw new Error(`${source} links to ${href}, which does not exist`);
  return { kind: 'file', path, anchor: hash, isFolder: found.isDirectory() };
}

/** The address of a file in the repository, if that is known: a clone need not know where it came from. */
export function repositoryUrl(
  { path, anchor, isFolder }: Extract<Destination, { kind: 'file' }>,
  repository: string | undefined,
  revision: string,
): string | undefined {
  if (repository === undefined) return undefined;
  const base = repository.replace(/\/$/, '');
  return path === '.' ? base : `${base}/${isFolder ? 'tree' : 'blob'}/${revision}/${path}${anchor}`;
}
