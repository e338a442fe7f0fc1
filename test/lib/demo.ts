/** The demo bank: off unless asked for, in a stack of its own, and limited in what it may do and cost. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, jest, test } from '@jest/globals';
import { listed, type Statement, statementsFor } from './policies.ts';
import { resourcesOf, stackNamesOf, synthesisOf } from './synthesize.ts';

type Given = { stage?: string; settings?: object; context?: unknown };

function synthesized({ context: demo, ...given }: Given) {
  // The CDK prints the warning of each synthesis. A test below reads it.
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    return synthesisOf({ ...given, demo }).assembly;
  } finally {
    printed.mockRestore();
  }
}

/** The stacks of the service, without the demo bank. */
const serviceOf = (stage: string): string[] =>
  [
    ...['data', 'api', 'pages', 'devices', 'confirmations', 'export', 'signals', 'log', 'staff'],
    ...['live', 'monitoring'],
  ].map((name) => `omi-${stage}-${name}`);

const namesOf = ({ context: demo, ...given }: Given): string[] => stackNamesOf({ ...given, demo });

describe('the demo bank', () => {
  test('is off by default', () => {
    expect(namesOf({})).toEqual(serviceOf('dev'));
    expect(namesOf({ settings: { demo: false } })).toEqual(serviceOf('dev'));
  });

  test.each([
    ['-c demo=true', { context: 'true' }],
    ['its setting', { settings: { demo: true } }],
    ['-c demo=true over its setting', { settings: { demo: false }, context: 'true' }],
  ])('is on with %s, in its own stack', (_, given) => {
    expect(namesOf(given)).toEqual([...serviceOf('dev'), 'omi-dev-demo']);
  });

  test('is off with -c demo=false despite its setting', () => {
    expect(namesOf({ settings: { demo: true }, context: 'false' })).toEqual(serviceOf('dev'));
  });

  test.each(['yes', '1', '', 'production'])('is rejected with -c demo=%s', (context) => {
    expect(() => namesOf({ context })).toThrow('demo: expected true, false or "in-production"');
  });

  test('is rejected in production with true, because strangers can sign in', () => {
    for (const given of [{ context: 'true' }, { settings: { demo: true } }])
      expect(() => namesOf({ stage: 'production', ...given })).toThrow(
        /demo: everyone who knows the address .* without a password.*"in-production"/,
      );
  });

  test('is on in production with the required word', () => {
    const both = [...serviceOf('production'), 'omi-production-demo'];
    expect(namesOf({ stage: 'production', context: 'in-production' })).toEqual(both);
    expect(namesOf({ stage: 'production', settings: { demo: 'in-production' } })).toEqual(both);
  });
});

describe('the stacks of the service', () => {
  test('know nothing of it, and it refers to none of them, so each can be deployed and deleted separately', () => {
    const assembly = synthesized({ context: 'true' });
    for (const stack of assembly.stacks) {
      const others = stack.dependencies
        .map(({ id }) => id)
        .filter((id) => id.startsWith('omi-') && !id.includes('.assets'));
      const text = JSON.stringify(stack.template);
      expect(others).not.toContain('omi-dev-demo');
      expect(text).not.toContain('"StackName":"omi-dev-demo"');
      if (stack.stackName !== 'omi-dev-demo') continue;
      expect(others).toEqual([]);
      expect(text).not.toMatch(/Fn::GetStackOutput|Fn::ImportValue/);
    }
  });
});

const template = Template.fromJSON(
  synthesized({ context: 'true' }).getStackByName('omi-dev-demo').template as Record<string, unknown>,
);
const resourceOf = (type: string) => {
  const [[, resource] = ['', undefined], ...others] = resourcesOf(template, type);
  if (!resource || others.length > 0) throw new Error(`The demo bank should have one ${type}.`);
  return resource;
};

describe("the demo bank's stack", () => {
  test('says in its outputs, and at every deployment, that nobody needs a password', () => {
    const sentence = 'Everyone who knows its address can sign in as a demo user, without a password.';
    const outputs = template.toJSON()['Outputs'] as Record<string, { Description: string }>;
    expect(Object.keys(outputs).sort()).toEqual(['DemoSecret', 'DemoUrl']);
    expect(outputs['DemoUrl']?.Description).toContain(sentence);
    const { messages } = synthesized({ context: 'true' }).getStackByName('omi-dev-demo');
    expect(messages.map(({ level, entry }) => [level, entry.data])).toEqual([
      ['warning', expect.stringContaining(sentence)],
    ]);
  });

  test('has limits, so that strangers cannot make it expensive or take the concurrency of the service', () => {
    expect(resourceOf('AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
      DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 100 },
    });
    expect(resourceOf('AWS::Lambda::Function').Properties).toMatchObject({
      ReservedConcurrentExecutions: 20,
      // Less than API Gateway waits.
      Timeout: 29,
    });
  });

  test('lets the Lambda use its table, read its secret, write its log and send traces, and nothing else', () => {
    const permissions = statementsFor('demo-site', template).map(({ Action, Resource }: Statement) => ({
      actions: listed(Action).toSorted(),
      resource: Resource,
    }));
    const idOf = (type: string): string => resourcesOf(template, type)[0]?.[0] ?? '';
    expect(permissions).toHaveLength(4);
    expect(permissions).toEqual(
      expect.arrayContaining([
        {
          actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
          resource: { 'Fn::GetAtt': [idOf('AWS::DynamoDB::Table'), 'Arn'] },
        },
        {
          actions: ['secretsmanager:GetSecretValue'],
          resource: { Ref: idOf('AWS::SecretsManager::Secret') },
        },
        {
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resource: { 'Fn::GetAtt': [expect.stringContaining('Logs'), 'Arn'] },
        },
        { actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resource: '*' },
      ]),
    );
  });
});
