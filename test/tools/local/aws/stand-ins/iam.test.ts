import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListRolePoliciesCommand,
  ListRolesCommand,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSts } from '../../../../../tools/local/aws/stand-ins/sts/backend.ts';
import { createRoles, type Roles } from '../../../../../tools/local/aws/stand-ins/iam/roles.ts';
import { createSessions } from '../../../../../tools/local/aws/stand-ins/sts/sessions.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

const account = '111122223333';
const RoleName = 'omi-events';
const trust = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '000000000000' }, Action: 'sts:AssumeRole' }],
};
const permissions = {
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Action: 'kinesis:PutRecords', Resource: '*' },
};
const AssumeRolePolicyDocument = JSON.stringify(trust);
const PolicyDocument = JSON.stringify(permissions);

let roles: Roles;
let endpoint: Alone;

beforeEach(async () => {
  roles = createRoles();
  endpoint = await startAlone(services.sts, createSts(roles, createSessions()));
});
afterEach(async () => await endpoint.close());

/** IAM is spoken at the endpoint of STS. */
const iam = (accessKeyId = account): IAMClient => new IAMClient(clientOf(endpoint.url, accessKeyId));
const create = async (name = RoleName, as = account) =>
  await iam(as).send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument }));
const documentOf = (encoded: string | undefined): unknown => JSON.parse(decodeURIComponent(String(encoded)));

describe('a role', () => {
  test('is created, found by its name, and described like by IAM', async () => {
    const { Role: made } = await iam().send(
      new CreateRoleCommand({
        RoleName,
        Path: '/export/omi/',
        Description: 'Käthe & Söhne',
        MaxSessionDuration: 7_200,
        AssumeRolePolicyDocument,
        Tags: [{ Key: 'team', Value: 'identity' }],
      }),
    );
    const { Role: found } = await iam().send(new GetRoleCommand({ RoleName }));
    expect(found).toEqual(made);
    expect(found).toMatchObject({
      Path: '/export/omi/',
      RoleName,
      Arn: `arn:aws:iam::${account}:role/export/omi/${RoleName}`,
      RoleId: expect.stringMatching(/^AROA[A-Z0-9]{17}$/),
      CreateDate: expect.any(Date),
      Description: 'Käthe & Söhne',
      MaxSessionDuration: 7_200,
      Tags: [{ Key: 'team', Value: 'identity' }],
    });
    expect(documentOf(found?.AssumeRolePolicyDocument)).toEqual(trust);
  });

  test('belongs to the account of a numeric access key, and to the local account for other keys', async () => {
    await create();
    await create(RoleName, 'ANYBODY');
    expect(roles.list().map(({ arn }) => arn)).toEqual([
      `arn:aws:iam::${account}:role/${RoleName}`,
      `arn:aws:iam::000000000000:role/${RoleName}`,
    ]);
    const { Roles: found = [] } = await iam('444455556666').send(new ListRolesCommand({}));
    expect(found).toEqual([]);
    await expect(iam('444455556666').send(new GetRoleCommand({ RoleName }))).rejects.toMatchObject({
      name: 'NoSuchEntityException',
    });
  });

  test('has a name that is unique in its account across all paths', async () => {
    await create();
    const again = new CreateRoleCommand({
      RoleName: 'OMI-Events',
      Path: '/other/',
      AssumeRolePolicyDocument,
    });
    await expect(iam().send(again)).rejects.toMatchObject({
      name: 'EntityAlreadyExistsException',
      $metadata: { httpStatusCode: 409 },
    });
  });

  test('can be deleted without policies, and gets a new id when created again', async () => {
    const { Role: first } = await create();
    await iam().send(new PutRolePolicyCommand({ RoleName, PolicyName: 'put', PolicyDocument }));
    await expect(iam().send(new DeleteRoleCommand({ RoleName }))).rejects.toMatchObject({
      name: 'DeleteConflictException',
      $metadata: { httpStatusCode: 409 },
    });
    await iam().send(new DeleteRolePolicyCommand({ RoleName, PolicyName: 'put' }));
    await iam().send(new DeleteRoleCommand({ RoleName }));
    await expect(iam().send(new GetRoleCommand({ RoleName }))).rejects.toMatchObject({
      name: 'NoSuchEntityException',
      $metadata: { httpStatusCode: 404 },
    });
    const { Role: second } = await create();
    expect(second?.Arn).toBe(first?.Arn);
    expect(second?.RoleId).not.toBe(first?.RoleId);
  });

  test.each([
    ['a name with a space', { RoleName: 'a b' }],
    ['a path that does not end', { Path: '/a' }],
    ['a session of half an hour', { MaxSessionDuration: 1_800 }],
  ])('is rejected: %s', async (_what, wrong) => {
    const input = { RoleName, AssumeRolePolicyDocument, ...wrong };
    await expect(iam().send(new CreateRoleCommand(input))).rejects.toMatchObject({ name: 'ValidationError' });
  });
});

describe("a role's policies", () => {
  test('are set, read, listed and deleted', async () => {
    await create();
    await iam().send(new PutRolePolicyCommand({ RoleName, PolicyName: 'put', PolicyDocument }));
    const found = await iam().send(new GetRolePolicyCommand({ RoleName, PolicyName: 'put' }));
    expect(found).toMatchObject({ RoleName, PolicyName: 'put' });
    expect(documentOf(found.PolicyDocument)).toEqual(permissions);
    const list = async () => (await iam().send(new ListRolePoliciesCommand({ RoleName }))).PolicyNames;
    expect(await list()).toEqual(['put']);
    await iam().send(new DeleteRolePolicyCommand({ RoleName, PolicyName: 'put' }));
    expect(await list()).toEqual([]);
    for (const command of [
      new GetRolePolicyCommand({ RoleName, PolicyName: 'put' }),
      new DeleteRolePolicyCommand({ RoleName, PolicyName: 'put' }),
      new PutRolePolicyCommand({ RoleName: 'nobody', PolicyName: 'put', PolicyDocument }),
    ])
      await expect(iam().send(command as GetRolePolicyCommand)).rejects.toMatchObject({
        name: 'NoSuchEntityException',
      });
  });

  const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
  test.each([
    ['text that is not JSON', '{'],
    ['no statement', { Version: '2012-10-17', Statement: [] }],
    ['an unknown effect', { Statement: { ...statement, Effect: 'Maybe' } }],
    ['an action without a service', { Statement: { ...statement, Action: 'GetObject' } }],
    ['an unknown member', { Statement: { ...statement, Resources: '*' } }],
    ['a principal', { Statement: { ...statement, Principal: '*' } }],
    ['no resource', { Statement: { Effect: 'Allow', Action: 's3:GetObject' } }],
  ])('are rejected with %s', async (_what, document) => {
    await create();
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    const put = new PutRolePolicyCommand({ RoleName, PolicyName: 'put', PolicyDocument: text });
    await expect(iam().send(put)).rejects.toMatchObject({
      name: 'MalformedPolicyDocumentException',
      $metadata: { httpStatusCode: 400 },
    });
  });

  const trusting = trust.Statement[0];
  test.each([
    ['a resource', { ...trusting, Resource: '*' }],
    ['no principal', { Effect: 'Allow', Action: 'sts:AssumeRole' }],
    ['an action of another service', { ...trusting, Action: 's3:*' }],
  ])('cannot have a trust policy with %s', async (_what, Statement) => {
    const document = JSON.stringify({ Version: '2012-10-17', Statement });
    const command = new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: document });
    await expect(iam().send(command)).rejects.toMatchObject({ name: 'MalformedPolicyDocumentException' });
  });
});

test('faults of STS do not affect IAM, so a test can repair a role meanwhile', async () => {
  endpoint.faults.add({ service: 'sts', operation: 'AssumeRole', fault: 'access-denied' });
  endpoint.faults.add({ service: 'sts', resource: RoleName, fault: 'throttle' });
  await expect(create()).resolves.toBeDefined();
});
