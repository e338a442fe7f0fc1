/** The packages of this repository that a release publishes on npm. */
import { readdirSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Published = { name: string; version: string; folder: string };

/** @param root the repository's folder */
export function publishedPackages(root: string): Published[] {
  return readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .flatMap((folder) => {
      const text = readFileSync(join(root, folder, 'package.json'), 'utf8');
      const { name, version, private: isPrivate } = JSON.parse(text) as Published & { private?: boolean };
      return isPrivate === true ? [] : [{ name, version, folder }];
    });
}

/** As npm names the tarball of `@omi/device`: `omi-device`. */
export const fileNameOf = (name: string): string => name.replace('@', '').replace('/', '-');
