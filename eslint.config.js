import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      ...['node_modules/', 'cdk.out/', '**/dist/', '.local/'],
      // Next is no dependency: the tests of the examples install it.
      'docs/examples/website-next-session/',
    ],
  },
  {
    // The demo bank's page has its types in comments, as it runs without a build step.
    files: ['**/*.{ts,tsx}', 'pages/bank/page/**/*.js'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/return-await': ['error', 'always'],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // What only takes its place, or is left out of a copy, begins so, as oxlint has it.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  // Programs for a terminal speak through the console.
  {
    files: ['bin/**', 'tools/**', 'docs/examples/**/*.ts', 'packages/*/build.ts', 'packages/*/vectors/**'],
    rules: { 'no-console': 'off' },
  },
  // The generator writes index signatures.
  {
    files: ['packages/website/src/generated/**'],
    rules: { '@typescript-eslint/consistent-indexed-object-style': 'off' },
  },
  // CDK constructs are created for their effect on the tree.
  { files: ['bin/app.ts', 'lib/**'], rules: { 'no-new': 'off' } },
);
