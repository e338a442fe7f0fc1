/** Bills of materials in CycloneDX, for the service and for each package. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import type { Bom, Component } from './bom.ts';
import { otherPackages } from './other-packages.ts';
import { fileNameOf, type Published } from './published.ts';

/** The lock file says what there is, so neither time nor machine matter. */
const options = ['--package-lock-only', '--output-reproducible', '--spec-version', '1.6'];
const program = 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js';

async function made(root: string, more: readonly string[]): Promise<Bom> {
  const args = [join(root, program), ...options, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Bom;
}

/** The tool describes the repository with one workspace in it. This is the workspace by itself. */
function ofWorkspace({ metadata, components = [], dependencies = [], ...bom }: Bom, name: string): Bom {
  const own = components.find((component) => nameOf(component) === name);
  if (!own) throw new Error(`The bill of materials of ${name} does not have it.`);
  const { components: inside = [], ...component } = own;
  const root = metadata.component['bom-ref'];
  return {
    ...bom,
    metadata: { ...metadata, component },
    components: [...components.filter((one) => one !== own), ...inside],
    dependencies: dependencies.filter(({ ref }) => ref !== root),
  };
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

/**
 * Writes `omi-service.cdx.json` and a file for each package, such as `omi-device.cdx.json`.
 *
 * @throws if one does not follow the schema of CycloneDX
 */
export async function writeBoms(
  root: string,
  folder: string,
  packages: readonly Published[],
): Promise<Record<string, Bom>> {
  const service = async (): Promise<[string, Bom]> => [
    'omi-service',
    await made(root, ['--no-workspaces', '--omit', 'dev', '--mc-type', 'application']),
  ];
  // Development dependencies of a package itself are what its bundles contain. Its peers are its user's.
  const workspaces = packages.map(async ({ name }): Promise<[string, Bom]> => {
    const bom = await made(root, ['--omit', 'peer', '--workspace', name]);
    return [fileNameOf(name), ofWorkspace(bom, name)];
  });
  const own = Object.fromEntries(await Promise.all([service(), ...workspaces]));
  const boms = { ...(await otherPackages(root)), ...own };
  for (const [name, bom] of Object.entries(boms)) await write(resolve(folder, `${name}.cdx.json`), bom);
  return boms;
}

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

async function write(file: string, bom: Bom): Promise<void> {
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  const fault: unknown = await validator.validate(text);
  if (fault !== null) throw new Error(`${file} does not follow the schema: ${JSON.stringify(fault)}`);
  await writeFile(file, text);
}
