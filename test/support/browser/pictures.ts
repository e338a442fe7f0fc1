import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/**
 * Renews a picture of the documents, if `OMI_SCREENSHOTS=1` asks for it and `docs/images/` has it. A new one begins as an empty
 * file of that name.
 */
export async function renewPicture(name: string, seen: Page | Locator): Promise<void> {
  const path = join('docs/images', name);
  if (process.env['OMI_SCREENSHOTS'] !== '1' || !existsSync(path)) return;
  await writeFile(path, await seen.screenshot({ animations: 'disabled' }));
}
