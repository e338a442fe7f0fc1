import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

const files = v.array(
  v.object({ key: v.string(), file: v.string(), contentType: v.string(), cacheControl: v.string() }),
);

/** A file of the built web app, which the Lambda's code contains. `file` is its path there, `key` that in the bucket. */
export type AppFile = v.InferOutput<typeof files>[number];

export type AppFiles = { list: () => Promise<AppFile[]>; read: (file: AppFile) => Promise<Uint8Array> };

/** @param folder with `files.json`, which the build wrote */
export const appFilesIn = (folder: URL): AppFiles => ({
  list: async () => v.parse(files, JSON.parse(await readFile(new URL('files.json', folder), 'utf8'))),
  read: async ({ file }) => await readFile(new URL(file, folder)),
});
