import { readFileSync } from 'node:fs';

/** The package's, beside `src` and beside `dist`. */
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const { version } = manifest;
