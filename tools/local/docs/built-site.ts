import { existsSync } from 'node:fs';
import { join } from 'node:path';

const top = join(import.meta.dirname, '../../..');

/** Where `npm run docs:site` puts the site. */
export const builtSite = join(top, 'docs/.vitepress/dist');

export const isSiteBuilt = (folder = builtSite): boolean => existsSync(join(folder, 'index.html'));
