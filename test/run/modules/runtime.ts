import { createRequire } from 'node:module';
import type jestRuntime from 'jest-runtime';
import { SuiteModules } from './suite-modules.ts';

const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime') as typeof jestRuntime;
type Globals = Parameters<jestRuntime.default['setGlobalsForRuntime']>[0];

/**
 * Runs a suite with the modules of Node.js itself, instead of in a context of `node:vm`: packages are loaded once for all
 * suites of a process, and globals are read without a detour. What suites do not use of jest is not there: module mocks,
 * and transforms.
 */
export default class NodeRuntime extends Runtime {
  readonly #modules = new SuiteModules();
  readonly #testPath: string;

  constructor(...options: ConstructorParameters<typeof Runtime>) {
    const known = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule') ?? {};
    super(...options);
    // Jest's own would hand out what belongs to a context.
    Object.defineProperty(process, 'getBuiltinModule', known);
    this.#testPath = options[6];
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override setGlobalsForRuntime(globals: Globals): void {
    super.setGlobalsForRuntime(globals);
    this.#modules.globals = this.requireModuleOrMock(this.#testPath, '@jest/globals');
  }

  override async unstable_importModule(path: string): Promise<unknown> {
    return await this.#modules.import(path);
  }

  /** Jest's framework has state of the suite, and is loaded for each. What it requires is not. */
  override requireInternalModule(path: string): never {
    Reflect.deleteProperty(require.cache, path);
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path) as never;
  }

  override teardown(): void {
    super.teardown();
    this.#modules.end();
  }
}
