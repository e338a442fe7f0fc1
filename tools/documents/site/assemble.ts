import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { apiReference } from './api-reference.ts';
import { firstPageOf } from './navigation.ts';
import { places, type ReaderPath, readerPaths, root, withoutPlace } from './reader-paths.ts';
import { writeTypeReference } from './type-reference.ts';

const reader = (path: ReaderPath): string => {
  const tasks = path.tasks.map(
    ({ task, pages: [first] }) => `[${task}](/${places.get(first?.source ?? '') ?? ''})`,
  );
  return `<li>\n\n## [${path.reader}](${firstPageOf(path)}.md)\n\n${path.promise}\n\n${tasks.join(' · ')}\n\n</li>`;
};

/** Every reader's path begins here. */
const home = (): string => `---
sidebar: false
aside: false
title: Step-up confirmation by push
---

# Ask the user, on the phone

OMI asks for a confirmation by push, and the phone signs what the user saw: anyone can verify it later. And it delivers each event to the cloud of your customers.

[Ten minutes to a confirmed payment](/websites/ten-minutes.md), or [try it in this page](/websites/playground.md). [The glossary](/reference/glossary.md) has the words.

<ul class="home-readers">

${readerPaths.map(reader).join('\n\n')}

</ul>
`;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Puts all pages where VitePress looks for them: those of the repository by their readers, and those that are made.
 *
 * @throws if a page of `docs/` is in no reader's path
 */
export async function assemble(folder: string): Promise<void> {
  const lost = withoutPlace();
  if (lost.length > 0)
    throw new Error(`No reader finds ${lost.join(', ')}: add it to tools/documents/site/reader-paths.ts`);
  await rm(folder, { recursive: true, force: true });
  await write(join(folder, 'index.md'), home());
  for (const [source, place] of places) {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await cp(join(root, source), join(folder, place));
  }
  for (const { name, text } of apiReference()) await write(join(folder, 'reference/api', `${name}.md`), text);
  await mkdir(join(folder, 'reference/types'), { recursive: true });
  await writeTypeReference(join(folder, 'reference/types'));
  await cp(join(root, 'docs/images'), join(folder, 'public/images'), { recursive: true });
  await cp(join(root, 'pages/app/icons/icon.svg'), join(folder, 'public/icon.svg'));
}
