import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../node_modules/.cache/omi-modules', import.meta.url));

/**
 * Keeps compiled modules for the next start, which then takes two thirds of the processor time: those of the stack, of its
 * Lambdas and of the programs that it starts. A folder that the environment names is used anyway. A state elsewhere is often
 * for one start, and the 16 MB of its Lambdas would stay: they are kept by their paths.
 */
export function keepCompiledModules(environment: NodeJS.ProcessEnv = process.env): void {
  if (environment['NODE_COMPILE_CACHE'] !== undefined || environment['OMI_STATE'] !== undefined) return;
  environment['NODE_COMPILE_CACHE'] = folder;
  enableCompileCache(folder);
}
