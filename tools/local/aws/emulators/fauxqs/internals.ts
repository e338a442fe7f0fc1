import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = join(import.meta.dirname, '../../../../../node_modules/fauxqs/dist');

/** A module that the package has and does not export. */
export async function loadInternal<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(join(dist, file)).href)) as Module;
}
