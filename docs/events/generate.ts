/**
 * Adds the schemas that are new to catalogue.json; fails where a published one has changed or is gone:
 *
 *     node docs/events/generate.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedSchemas, currentCatalogue, readCatalogue } from './published.ts';

const file = join(import.meta.dirname, 'catalogue.json');

const current = currentCatalogue();
const changed = changedSchemas(readCatalogue(), current);

if (changed.length === 0) writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
else {
  console.error(
    `Published schemas have changed: ${changed.join(', ')}. Add a version instead: see README.md.`,
  );
  process.exitCode = 1;
}
