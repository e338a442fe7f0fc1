/** A version of the site, and where it is below the site's root. */
export type Version = { version: string; path: string };

export type Edition = {
  /** This one. `main` is at the root, a release below it. */
  version: string;
  /** The path of all versions, such as `/omi/` on GitHub Pages. */
  rootPath: string;
  /** All of them, newest first. */
  versions: Version[];
};

const newest = 'main';

const pathOf = (version: string): string => (version === newest ? '' : `${version}/`);

/** A name of a tag is part of a path. */
const named = /^[\w.-]+$/;

/** Reads which version is built from the environment. Empty variables are ignored. */
export function editionOf({ DOCS_VERSION = '', DOCS_VERSIONS, DOCS_ROOT }: NodeJS.ProcessEnv): Edition {
  const version = DOCS_VERSION === '' ? newest : DOCS_VERSION;
  const listed = (DOCS_VERSIONS ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const names = [...new Set([newest, ...listed, version])];
  const wrong = names.find((name) => !named.test(name));
  if (wrong !== undefined) throw new Error(`A version has letters, digits, ".", "_" and "-": not "${wrong}"`);
  return {
    version,
    rootPath: `/${DOCS_ROOT ?? ''}/`.replaceAll(/\/+/g, '/'),
    versions: names.map((name) => ({ version: name, path: pathOf(name) })),
  };
}

export const baseOf = ({ version, rootPath }: Edition): string => `${rootPath}${pathOf(version)}`;

/** Below the root. The chooser of every version reads it, so that an old version knows the newer ones. */
export const versionsFile = 'versions.json';
