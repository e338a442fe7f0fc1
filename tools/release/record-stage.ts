/**
 * Records what upgrades from this release must keep. A release does it once:
 *
 *     npx cdk synth --quiet -c stage=production --output cdk.out && node tools/release/record-stage.ts cdk.out
 *
 * It writes `test/lib/released/<version>.json`, with which each later version is compared.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { recordOf, type Template } from './stage-record.ts';

const [folder = 'cdk.out'] = process.argv.slice(2);
const released = fileURLToPath(new URL('../../test/lib/released', import.meta.url));
const ending = '.template.json';

const files = (await readdir(folder)).filter((name) => name.endsWith(ending) && !name.includes('.nested.'));
if (files.length === 0) throw new Error(`${folder} has no templates. Run cdk synth first.`);
const templates = await Promise.all(
  files.map(async (name) => {
    const template = JSON.parse(await readFile(join(folder, name), 'utf8')) as Template;
    return [name.slice(0, -ending.length), template] as const;
  }),
);
await mkdir(released, { recursive: true });
const file = join(released, `${manifest.version}.json`);
await writeFile(file, `${JSON.stringify(recordOf(Object.fromEntries(templates)), null, 1)}\n`);
console.log(file);
