/** The stacks of the service: what refers to what, how much is in each, and what never changes with the rest. */
import { describe, expect, test } from '@jest/globals';
import { stackOfLambda } from '../../lib/lambda-stacks.ts';
import { bothKeys, noPages } from './configuration-changes.ts';
import { behindCloudFront, bareOidc, everyPlatform, severalSettings } from './settings.ts';
import { configOf, environmentsOf, type Resource, synthesisOf } from './synthesize.ts';

/** To which stacks each may refer. */
const arrows: Record<string, readonly string[]> = {
  data: [],
  api: ['data', 'edge'],
  pages: ['data', 'api', 'edge'],
  devices: ['data', 'api', 'pages'],
  confirmations: ['data', 'api', 'pages', 'devices'],
  export: ['data', 'api', 'pages'],
  signals: ['data', 'api'],
  log: ['data', 'api', 'export'],
  staff: ['data', 'api', 'pages', 'devices'],
  live: ['data', 'api', 'pages'],
  monitoring: ['data', 'api', 'devices', 'confirmations', 'export', 'signals', 'log', 'staff'],
};
const names = Object.keys(arrows);

const domain = {
  name: 'pages.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/pages',
};

/** All that a stage can have at once. */
export const everything = {
  ...everyPlatform,
  ...severalSettings,
  ...everyPlatform,
  api: { ...severalSettings.api, ...behindCloudFront.api },
  webApp: { domain, apple: { appIds: ['DEF1234567.com.example.app'] } },
  signingKeys: ['1', '2', '3', '4'],
  receiptKeys: ['1', '2', '3', '4'],
  signalKeys: ['1', '2', '3', '4'],
  logKeys: ['1', '2', '3', '4'],
  rollout: 'canary',
};

type Json = { Resources: Record<string, Resource>; Outputs?: Record<string, { Export?: { Name: string } }> };

const stageOf = (stage: string, settings: object = {}) => {
  const { assembly, stacks, templateOf } = bound(synthesisOf({ stage, settings }));
  const partOf = (stackName: string): string => stackName.replace(`omi-${stage}-`, '');
  return { assembly, parts: stacks.map(({ stackName }) => partOf(stackName)), partOf, templateOf };
};

const bound = (synthesis: ReturnType<typeof synthesisOf>) => ({
  assembly: synthesis.assembly,
  stacks: synthesis.stacks,
  templateOf: (name: string): Json => synthesis.templateOf(name).toJSON() as Json,
});

/** The stacks whose outputs a template reads. */
const readBy = (template: Json): string[] => [
  ...new Set([...JSON.stringify(template).matchAll(/"StackName":"([\w-]+)"/g)].map(([, name = '']) => name)),
];

describe.each([
  ['with its defaults', 'dev', {}],
  ['with everything on', 'production', everything],
  ['with its own issuer', 'staging', bareOidc],
])('a stage %s', (_, stage, settings) => {
  const { assembly, parts, partOf, templateOf } = stageOf(stage, settings);

  test('has exactly these stacks, each after those to which it may refer', () => {
    expect(parts).toEqual(names);
    for (const [index, name] of parts.entries()) {
      const before = [...parts.slice(0, index), 'edge'];
      expect([name, arrows[name]?.filter((other) => !before.includes(other))]).toEqual([name, []]);
    }
  });

  test.each(names)('refers downwards only: %s', (name) => {
    expect(
      readBy(templateOf(name))
        .map(partOf)
        .filter((other) => !arrows[name]?.includes(other)),
    ).toEqual([]);
  });

  test.each(names)('deploys first the stacks to which it refers: %s', (name) => {
    const { dependencies } = assembly.getStackByName(`omi-${stage}-${name}`);
    const first = dependencies.map(({ id }) => id);
    expect(first).toEqual(expect.arrayContaining(readBy(templateOf(name))));
    const later = parts.slice(parts.indexOf(name)).map((part) => `omi-${stage}-${part}`);
    expect(first.filter((id) => later.includes(id))).toEqual([]);
  });

  test('exports the keys that sign and nothing else, because an export in use can never be changed or removed', () => {
    for (const name of names) {
      const exports = Object.values(templateOf(name).Outputs ?? {}).flatMap(
        ({ Export }) => Export?.Name ?? [],
      );
      const others = exports.filter((one) => !/-data-(Signing|Receipts|Signals|Log)\w+KeyId$/.test(one));
      expect([name, others]).toEqual([name, []]);
      expect([name, exports.length > 0]).toEqual([name, name === 'data']);
    }
  });
});

describe('a stage with everything on', () => {
  const { templateOf } = stageOf('production', everything);

  test.each(names)(
    'has at most 300 resources in %s, and half of the outputs that CloudFormation allows',
    (name) => {
      const { Resources, Outputs = {} } = templateOf(name);
      expect(Object.keys(Resources).length).toBeLessThanOrEqual(300);
      expect(Object.keys(Outputs).length).toBeLessThanOrEqual(100);
    },
  );
});

test('each Lambda is in the stack that the table names, because it cannot move later', () => {
  const synthesis = synthesisOf({});
  const found = names.flatMap((name) =>
    [...environmentsOf(synthesis.templateOf(name)).keys()].map((lambda) => [lambda, name] as const),
  );
  const expected = new Map<string, string>(Object.entries(stackOfLambda));
  expect(found.filter(([lambda]) => expected.has(lambda))).toHaveLength(expected.size);
  for (const [lambda, name] of found)
    if (expected.has(lambda)) expect([lambda, name]).toEqual([lambda, expected.get(lambda)]);
});

describe('a stage that names its account and region', () => {
  const env = { account: '111122223333', region: 'eu-west-1' };

  test('has all of its stacks there, so that the CDK refuses credentials of another account', () => {
    const { assembly } = stageOf('dev', { env, ...behindCloudFront, demo: true });
    const places = assembly.stacks.map(({ stackName, environment: { account, region } }) => [
      stackName,
      account,
      region,
    ]);
    expect(places.length).toBeGreaterThan(names.length);
    for (const [name, account, region] of places)
      expect([name, account, region]).toEqual([
        name,
        env.account,
        name === 'omi-dev-edge' ? 'us-east-1' : env.region,
      ]);
  });

  test.each([['12345678901'], ['11112222333a']])('refuses the account %s', (account) => {
    expect(() => configOf('dev', { env: { account } })).toThrow(/env\.account: expected the 12 digits/);
  });

  test('refuses a region that cannot be one', () => {
    expect(() => configOf('dev', { env: { region: 'Frankfurt' } })).toThrow(/env\.region: expected a region/);
  });
});

/** What has nothing to do with data. */
const everyDetail = {
  ...everyPlatform,
  webPush: severalSettings.webPush,
  api: severalSettings.api,
  rollout: 'canary',
  logRetentionDays: 365,
  demo: true,
  appLink: 'https://other.omi.test',
};

describe('the data stack', () => {
  const dataOf = (settings: object, stage = 'dev') => stageOf(stage, settings).templateOf('data');

  test.each([
    ['no pages', 'production', noPages],
    ['pushes, limits, a canary, a demo bank and another link', 'dev', everyDetail],
    ['CloudFront in front of the API', 'production', behindCloudFront],
  ])('stays the same with %s', (_, stage, settings) => {
    expect(dataOf(settings, stage)).toEqual(dataOf({}, stage));
  });

  test.each([
    ['its own key', 'production', { data: { customerManagedKey: true } }],
    ['another key that signs', 'production', bothKeys],
    ['its own issuer', 'staging', bareOidc],
  ])('changes with the data: %s', (_, stage, settings) => {
    expect(dataOf(settings, stage)).not.toEqual(dataOf({}, stage));
  });

  test('has no code, role or permission, which change with releases', () => {
    const types = new Set(Object.values(dataOf(everything, 'production').Resources).map(({ Type }) => Type));
    expect([...types].sort()).toEqual([
      'AWS::Cognito::UserPool',
      'AWS::Cognito::UserPoolDomain',
      'AWS::Cognito::UserPoolGroup',
      'AWS::Cognito::UserPoolResourceServer',
      'AWS::DynamoDB::Table',
      'AWS::KMS::Key',
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
      'AWS::SNS::Topic',
      'AWS::SNS::TopicPolicy',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
      'AWS::SecretsManager::Secret',
    ]);
  });

  test('is retained in production', () => {
    // A policy has no data, and the pool's parts are made again from the settings.
    const remade = /Policy$|::UserPool(Domain|Group|ResourceServer)$/;
    const lost = Object.entries(dataOf({}, 'production').Resources).filter(
      ([, { Type, DeletionPolicy }]) => !remade.test(Type) && !DeletionPolicy?.startsWith('Retain'),
    );
    expect(lost.map(([id]) => id)).toEqual([]);
  });
});

test('every stack of production is protected from deletion, and no stack of a stage that keeps nothing', () => {
  const isProtected = (stage: string) =>
    synthesisOf({ stage }).stacks.map((one) => one.terminationProtection);
  expect(new Set(isProtected('production'))).toEqual(new Set([true]));
  expect(new Set(isProtected('dev'))).toEqual(new Set([false]));
});
