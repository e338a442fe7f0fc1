import release from '../../package.json' with { type: 'json' };

const { dependencies, devDependencies, optionalDependencies, version } = release;

const manifest = (name: string) => ({
  name,
  private: true,
  type: 'module',
  // The first that runs TypeScript by itself: https://nodejs.org/api/typescript.html
  engines: { node: '>=22.18' },
  scripts: { synth: 'cdk synth --quiet', diff: 'cdk diff', deploy: 'cdk deploy --all', types: 'tsc' },
  // The versions with which this release was tested.
  dependencies: {
    '@omi/cdk': version,
    'aws-cdk-lib': dependencies['aws-cdk-lib'],
    constructs: dependencies.constructs,
  },
  devDependencies: {
    'aws-cdk': devDependencies['aws-cdk'],
    typescript: devDependencies['@typescript/native'].replace('npm:typescript@', ''),
  },
  // Node.js itself, which npm's programs find before the machine's.
  optionalDependencies,
});

const cdk = {
  app: 'node bin/app.ts',
  versionReporting: false,
  notices: false,
  context: { stages: { dev: {}, production: {} } },
};

const compiler = {
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
  },
  include: ['bin'],
};

const app = `import { givenStage, OmiStage } from '@omi/cdk';
import { App } from 'aws-cdk-lib';

const app = new App();
// The stage of \`-c stage=production\` (default: dev), with its settings in cdk.json, under context.stages.
const { stage, settings: config } = givenStage(app);

new OmiStage(app, \`omi-\${stage}\`, { config });
`;

const readme = `# OMI

This folder deploys OMI into an account of AWS. Keep it in Git, without \`node_modules\` and \`cdk.out\`.

You need Node.js 22.18 or later, which \`npm install\` brings along on Linux, and credentials of an administrator of the account, with a region:

\`\`\`sh
export AWS_PROFILE=my-profile AWS_REGION=eu-central-1
\`\`\`

## Deploy

\`\`\`sh
npm install
npx omi preflight
npx cdk bootstrap
npx cdk deploy --all --no-rollback
npx omi doctor
npx omi smoke
\`\`\`

\`preflight\` only reads, and says what the account lacks. \`doctor\` checks what was deployed, and \`smoke\` tests it from outside and removes what it made.
The stage is \`dev\`. For another one add \`-c stage=production\` to \`cdk\`, and \`--stage production\` to \`omi\`. \`-c demo=true\` adds the demo bank.

## Settings

They are in [cdk.json](cdk.json), under \`context.stages\`. All have defaults, so \`{}\` is a whole service. A misspelt or wrong one stops \`cdk synth\` and \`omi preflight\`, with its name and what was expected.

\`\`\`json
"production": {
  "env": { "account": "111122223333", "region": "eu-central-1" },
  "api": {
    "domain": { "name": "api.example.com", "certificateArn": "arn:aws:acm:eu-central-1:111122223333:certificate/…" }
  },
  "webApp": {
    "domain": { "name": "confirm.example.com", "certificateArn": "arn:aws:acm:us-east-1:111122223333:certificate/…" }
  },
  "webPush": { "contact": "mailto:security@example.com" },
  "push": { "fcm": { "secretName": "omi/fcm" }, "apns": { "secretName": "omi/apns" } }
}
\`\`\`

| setting | what it is for |
| --- | --- |
| \`env\` | the only account and region to which the stage may be deployed |
| \`api.domain\`, \`webApp.domain\` | names of your own. Choose them before the first device enrols: a device calls and signs the address of its enrolment. The web app's certificate is one of us-east-1 |
| \`webPush.contact\` | whom push services of browsers write to. Apple rejects pushes without a valid address |
| \`push\` | for native apps: the secrets with the credentials of Google and Apple. Web devices need none |

The type \`StageSettings\` of \`@omi/cdk\` has all of them, with what they mean (\`node_modules/@omi/cdk/dist/index.d.ts\`).

## Operate

\`\`\`sh
npx omi tenant create --name "Example Bank"
npx omi --help
\`\`\`

## Upgrade

\`\`\`sh
npm install @omi/cdk@latest
npx cdk diff -c stage=production
npx cdk deploy --all -c stage=production
npx omi doctor --stage production
\`\`\`

The changelog of \`@omi/cdk\` (\`node_modules/@omi/cdk/CHANGELOG.md\`) says what to do besides. Deploy the stage \`dev\` first. Commit \`package.json\` and \`package-lock.json\` afterwards.
To go back, install the version before and deploy again. \`npm install @omi/cdk@next\` gets a version before its release.

If npm says that \`aws-cdk-lib\` does not fit, upgrade it and the CDK's command together: \`npm install aws-cdk-lib@latest constructs@latest aws-cdk@latest\`.
`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What npm accepts as a name: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#name */
const packageNameOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+/, '') || 'omi-stages';

/**
 * The texts of an operator's CDK app, by their paths.
 *
 * @param name of its folder
 */
export const appFiles = (name: string): Readonly<Record<string, string>> => ({
  'package.json': json(manifest(packageNameOf(name))),
  'cdk.json': json(cdk),
  'tsconfig.json': json(compiler),
  'bin/app.ts': app,
  'README.md': readme,
});
