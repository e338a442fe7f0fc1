import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * True for exports that are getters and load a class when they are read (`fs.ReadStream`: 2 ms). The SDK only asks whether a
 * value is an instance of such a class, so a bundle loads the class when it uses it.
 */
const isLoadedOnDemand = (builtin: object, name: string): boolean =>
  Object.getOwnPropertyDescriptor(builtin, name)?.get !== undefined &&
  typeof Reflect.get(builtin, name) === 'function';

/** Replaces `import … from`. It reads only the exports that the bundle uses. */
function asModule(name: string): string {
  const builtin = process.getBuiltinModule(name) ?? {};
  const exported = Object.keys(builtin).filter((key) => key !== 'default' && /^[\w$]+$/.test(key));
  const readerOf = (key: string): string => (isLoadedOnDemand(builtin, key) ? 'later' : 'read');
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});`,
    'const read = (name) => builtin[name];',
    'const later = (name) => new Proxy(function () {}, {',
    '  get: (_, key) => builtin[name][key],',
    '  apply: (_, self, values) => Reflect.apply(builtin[name], self, values),',
    '  construct: (_, values) => Reflect.construct(builtin[name], values),',
    '});',
    'export default builtin;',
    ...exported.map((key, index) => `const _${index} = /* @__PURE__ */ ${readerOf(key)}("${key}");`),
    `export { ${exported.map((key, index) => `_${index} as ${key}`).join(', ')} };`,
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
