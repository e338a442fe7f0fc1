import { execFileSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/** An export's name, and whether it is loaded on demand. */
type Export = [name: string, isLoadedOnDemand: boolean];

const listExports = `
  const { builtinModules } = process.getBuiltinModule('node:module');
  const isLoadedOnDemand = (builtin, key) =>
    Object.getOwnPropertyDescriptor(builtin, key)?.get !== undefined && typeof builtin[key] === 'function';
  const exportsOf = (name) => {
    const builtin = process.getBuiltinModule(name);
    return Object.keys(builtin).map((key) => [key, isLoadedOnDemand(builtin, key)]);
  };
  const listed = builtinModules.map((name) => ['node:' + name.replace('node:', ''), exportsOf(name)]);
  console.log(JSON.stringify(Object.fromEntries(listed)));`;

/**
 * The exports of all built-in modules. Some are getters that load a class when they are read (`fs.ReadStream`: 2 ms). The SDK
 * only asks whether a value is an instance of such a class, so a bundle loads the class when it uses it.
 *
 * A process adds exports of its own, for example `process.send` in a child process. So a new process lists them, and the
 * same source gives the same bundle wherever it is made.
 */
function findExports(): Partial<Record<string, Export[]>> {
  const listed = execFileSync(process.execPath, ['-e', listExports], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return JSON.parse(listed) as Record<string, Export[]>;
}

let found: ReturnType<typeof findExports> | undefined;

/** Replaces `import … from`. It reads only the exports that the bundle uses. */
function asModule(name: string): string {
  found ??= findExports();
  const exported = (found[name] ?? []).filter(([key]) => key !== 'default' && /^[\w$]+$/.test(key));
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});`,
    'const read = (name) => builtin[name];',
    'const later = (name) => new Proxy(function () {}, {',
    '  get: (_, key) => builtin[name][key],',
    '  apply: (_, self, values) => Reflect.apply(builtin[name], self, values),',
    '  construct: (_, values) => Reflect.construct(builtin[name], values),',
    '});',
    'export default builtin;',
    ...exported.map(
      ([key, isLoadedOnDemand], index) =>
        `const _${index} = /* @__PURE__ */ ${isLoadedOnDemand ? 'later' : 'read'}("${key}");`,
    ),
    `export { ${exported.map(([key], index) => `_${index} as ${key}`).join(', ')} };`,
  ].join('\n');
}

const asCommonJs = (name: string): string =>
  `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`;

/**
 * For a static import of a built-in module Node.js reads all of its properties. Those of `node:http` load all of undici: 39 ms
 * instead of 4. `process.getBuiltinModule` returns the same object and reads no property.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^(node:)?[a-z]/ }, ({ path, kind }) =>
      isBuiltin(path)
        ? {
            path: `node:${path.replace('node:', '')}`,
            namespace: kind === 'import-statement' ? 'builtin' : 'required-builtin',
            sideEffects: false,
          }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: asModule(path) }));
    build.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: asCommonJs(path),
    }));
  },
};
