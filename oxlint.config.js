/** The rules of `eslint.config.js` for oxlint, which checks the whole repository in a tenth of the time. */
import eslint from './eslint.config.js';

/** Rules that oxlint does not have. ESLint has them, in the workflow. */
const missing = [
  '@typescript-eslint/no-unsafe-class-instance-assignment',
  '@typescript-eslint/no-unsafe-enum-assignment',
];

const isOn = (setting) => [setting].flat()[0] !== 'off';

const configs = eslint.filter(({ rules }) => rules !== undefined);
const used = new Set(
  configs
    .flatMap(({ rules }) => Object.keys(rules).filter((name) => isOn(rules[name])))
    .filter((name) => !missing.includes(name)),
);

export default {
  ignorePatterns: eslint.flatMap(({ files, ignores }) => (files === undefined ? (ignores ?? []) : [])),
  options: { typeAware: true },
  plugins: [],
  categories: { correctness: 'off' },
  overrides: configs.map(({ files, rules }) => ({
    files,
    plugins: ['typescript'],
    rules: Object.fromEntries(Object.entries(rules).filter(([name]) => used.has(name))),
  })),
};
