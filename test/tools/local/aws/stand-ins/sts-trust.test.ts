import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { CreateRoleCommand, IAMClient, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSts } from '../../../../../tools/local/aws/stand-ins/sts/backend.ts';
import { createRoles } from '../../../../../tools/local/aws/stand-ins/iam/roles.ts';
import { createSessions } from '../../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

const exporter = 'arn:aws:iam::000000000000:role/omi-export-events';
const session = 'arn:aws:sts::000000000000:assumed-role/omi-export-events/local';
const [account, RoleName] = ['111122223333', 'omi-events'];
const RoleArn = `arn:aws:iam::${account}:role/${RoleName}`;
const externalId = 'f3a9c1d27b6e4a58';

let endpoint: Alone;
let log: string[] = [];

beforeAll(async () => {
  const sessions = createSessions();
  sessions.bind('EXPORTER', exporter);
  endpoint = await startAlone(
    services.sts,
    createSts(createRoles(), sessions, (line) => log.push(line)),
  );
  const AssumeRolePolicyDocument = documentOf({ Effect: 'Deny', Principal: '*' });
  await iam().send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
});
afterAll(async () => await endpoint.close());
beforeEach(() => {
  log = [];
});

const iam = (): IAMClient => new IAMClient(clientOf(endpoint.url, account));

type Statement = { Effect?: string; Principal?: unknown; Action?: string | string[]; Condition?: object };

const documentOf = (...statements: Statement[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: statements.map((one) => ({ Effect: 'Allow', Action: 'sts:AssumeRole', ...one })),
  });

/** Whether the exporter's Lambda gets in under these statements. */
async function isLetIn(statements: Statement[], more: object = { ExternalId: externalId }): Promise<boolean> {
  const PolicyDocument = documentOf(...statements);
  await iam().send(new UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument }));
  const input = { RoleArn, RoleSessionName: 'omi-export', ...more };
  return await new STSClient(clientOf(endpoint.url, 'EXPORTER')).send(new AssumeRoleCommand(input)).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ name: 'AccessDenied' });
      return false;
    },
  );
}

const root = { AWS: 'arn:aws:iam::000000000000:root' };

describe('a principal in a trust policy', () => {
  test.each([
    ['everybody', '*', true],
    ['everybody, as a principal of AWS', { AWS: '*' }, true],
    ['the number of the account', { AWS: '000000000000' }, true],
    ['the root of the account', root, true],
    ['the role', { AWS: exporter }, true],
    ['the session', { AWS: session }, true],
    ['one of a list', { AWS: ['arn:aws:iam::999999999999:root', exporter] }, true],
    ['another account', { AWS: '999999999999' }, false],
    ['another role', { AWS: `${exporter}-2` }, false],
    ['a pattern, which IAM does not know here', { AWS: 'arn:aws:iam::000000000000:role/*' }, false],
    ['a service', { Service: 'firehose.amazonaws.com' }, false],
  ])('matches the caller as in AWS: %s', async (_name, Principal, expected) => {
    expect(await isLetIn([{ Principal }])).toBe(expected);
  });
});

describe('an action in a trust policy', () => {
  test.each([
    ['sts:*', true],
    ['sts:assumerole', true],
    ['sts:Assume*', true],
    [['sts:TagSession', 'sts:AssumeRole'], true],
    ['sts:TagSession', false],
  ])('matches AssumeRole as in AWS: %j', async (Action, expected) => {
    expect(await isLetIn([{ Principal: root, Action }])).toBe(expected);
  });
});

test('one statement that allows is enough, and one that denies wins', async () => {
  const stranger = { Principal: { AWS: '999999999999' } };
  expect(await isLetIn([stranger, { Principal: root }])).toBe(true);
  expect(await isLetIn([{ Principal: root }, { ...stranger, Effect: 'Deny' }])).toBe(true);
  expect(await isLetIn([{ Principal: root }, { Principal: '*', Effect: 'Deny' }])).toBe(false);
});

describe('a condition in a trust policy', () => {
  const roles = 'arn:aws:iam::000000000000:role/omi-*';
  test.each([
    ['the external id', { StringEquals: { 'sts:ExternalId': externalId } }, true],
    ['one of several', { StringEquals: { 'sts:ExternalId': ['x', externalId] } }, true],
    ['a key in another case', { StringEquals: { 'STS:externalID': externalId } }, true],
    ['another external id', { StringEquals: { 'sts:ExternalId': 'x' } }, false],
    ['a pattern, where none is meant', { StringEquals: { 'sts:ExternalId': '*' } }, false],
    ['a pattern', { StringLike: { 'sts:ExternalId': 'f3a9*4a5?' } }, true],
    ['whose role it is', { StringEquals: { 'aws:PrincipalArn': exporter } }, true],
    ["not the session's ARN", { StringEquals: { 'aws:PrincipalArn': session } }, false],
    ['roles by a pattern', { ArnLike: { 'aws:PrincipalArn': roles } }, true],
    ['the same to IAM', { ArnEquals: { 'aws:PrincipalArn': roles } }, true],
    ['a pattern across colons', { ArnLike: { 'aws:PrincipalArn': 'arn:aws:*:role/omi-*' } }, false],
    ['not these roles', { ArnNotLike: { 'aws:PrincipalArn': roles } }, false],
    ['the account', { StringEquals: { 'aws:PrincipalAccount': '000000000000' } }, true],
    [
      'a source account, which the call has not',
      { StringEquals: { 'aws:SourceAccount': '000000000000' } },
      false,
    ],
    ['the same, if there is one', { StringEqualsIfExists: { 'aws:SourceAccount': 'x' } }, true],
    ['any other than one that is not there', { StringNotEquals: { 'aws:SourceAccount': 'x' } }, true],
    ['that there is one', { Null: { 'aws:SourceAccount': 'false' } }, false],
    ['that there is none', { Null: { 'aws:SourceAccount': true } }, true],
    ['a second factor', { Bool: { 'aws:MultiFactorAuthPresent': true } }, false],
    ['each of several', { StringEquals: { 'sts:ExternalId': externalId, 'aws:PrincipalArn': 'x' } }, false],
  ])('is met as in AWS: %s', async (_name, Condition, expected) => {
    expect(await isLetIn([{ Principal: root, Condition }])).toBe(expected);
    expect(log).toEqual([]);
  });

  test('is not met without an external id', async () => {
    const Condition = { StringEquals: { 'sts:ExternalId': externalId } };
    expect(await isLetIn([{ Principal: root, Condition }], {})).toBe(false);
    expect(await isLetIn([{ Principal: root, Condition: { Null: { 'sts:ExternalId': 'true' } } }], {})).toBe(
      true,
    );
  });

  test.each([
    ['key', { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } }, 'aws:PrincipalOrgID'],
    ['operator', { NumericEquals: { 'sts:ExternalId': '1' } }, 'NumericEquals'],
  ])('is never met with an unsupported %s, and the log says so', async (_what, Condition, named) => {
    expect(await isLetIn([{ Principal: root, Condition }])).toBe(false);
    expect(log).toEqual([expect.stringContaining(named)]);
    expect(await isLetIn([{ Principal: root }, { Principal: root, Effect: 'Deny', Condition }])).toBe(true);
  });
});
