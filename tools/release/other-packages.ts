/** The packages that npm does not know. Their few dependencies are declared in files that no tool here reads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bom, Component } from './bom.ts';

const licences = (id: string): Pick<Component, 'licenses'> => ({ licenses: [{ license: { id } }] });

const component = (name: string, version: string, purl: string, licence: Pick<Component, 'licenses'>) => ({
  type: 'library',
  'bom-ref': purl,
  name,
  version,
  ...licence,
  purl,
});

function bomOf(own: ReturnType<typeof component>, ...needs: ReturnType<typeof component>[]): Bom {
  const leaves = needs.map((need) => ({ ref: need['bom-ref'] }));
  const dependsOn = leaves.map(({ ref }) => ref);
  return {
    ...{ $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', version: 1 },
    specVersion: '1.6',
    metadata: { component: own },
    components: needs,
    dependencies: [{ ref: own['bom-ref'], ...(dependsOn.length > 0 && { dependsOn }) }, ...leaves],
  };
}

const apache = licences('Apache-2.0');

/** By the names of their files. */
export async function otherPackages(root: string): Promise<Record<string, Bom>> {
  const read = async (path: string, form: RegExp): Promise<string> => {
    const [, found] = form.exec(await readFile(join(root, path), 'utf8')) ?? [];
    if (found === undefined) throw new Error(`${path} does not have ${String(form)}`);
    return found;
  };
  const gradle = 'packages/device-kotlin/build.gradle.kts';
  const kotlin = await read(gradle, /kotlin\("jvm"\) version "([^"]+)"/);
  const kotlinVersion = await read(gradle, /^version = "([^"]+)"/m);
  const project = 'packages/python/pyproject.toml';
  const pythonVersion = await read(project, /^version = "([^"]+)"/m);
  const requests = await read(project, /"requests(>=[\d.]+)"/);
  const cryptography = await read(project, /"cryptography(>=[\d.]+)"/);
  // A package of Swift has the version of the repository's tag.
  const swiftVersion = await read('package.json', /"version": "([^"]+)"/);
  return {
    'omi-device-kotlin': bomOf(
      component('device', kotlinVersion, `pkg:maven/org.omi/device@${kotlinVersion}`, apache),
      component('kotlin-stdlib', kotlin, `pkg:maven/org.jetbrains.kotlin/kotlin-stdlib@${kotlin}`, apache),
    ),
    'omi-device-swift': bomOf(
      component('OmiDevice', swiftVersion, `pkg:swift/OmiDevice@${swiftVersion}`, apache),
    ),
    'omi-python': bomOf(
      component('omi-client', pythonVersion, `pkg:pypi/omi-client@${pythonVersion}`, apache),
      component('requests', requests, 'pkg:pypi/requests', apache),
      component('cryptography', cryptography, 'pkg:pypi/cryptography', {
        licenses: [{ expression: 'Apache-2.0 OR BSD-3-Clause' }],
      }),
    ),
  };
}
