/** Which Python of this machine has what a test needs: Debian's own may have packages that another one lacks. */
import { spawnSync } from 'node:child_process';

const candidates = ['python3', '/usr/bin/python3'];

/** @returns undefined if none has these modules */
export function pythonWith(...modules: string[]): string | undefined {
  const code = `import ${modules.join(', ')}`;
  const found = candidates.find((program) => spawnSync(program, ['-c', code]).status === 0);
  if (found === undefined)
    process.stderr.write(`No python3 with ${modules.join(', ')} is here: its tests are skipped.\n`);
  return found;
}
