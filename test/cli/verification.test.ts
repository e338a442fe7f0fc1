/** How a target goes live: what a tenant sets up by the printed policies passes the service's test, and nothing less. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { until } from '../support/waiting.ts';
import { newTenant } from './commands/tenants.ts';
import { jsonOn, omiOn } from './omi.ts';
import { type StreamPolicies, TenantAccount } from './tenant-account.ts';

const stack = useSharedStack();
const json = jsonOn(stack);

const account = '333333333333';
const tenantAccount = new TenantAccount(stack, account);

type Outcome = {
  state: string;
  code: string;
  reason: string;
  check?: string;
  change?: { document: string; statement: object };
};

async function failedTest(...args: string[]): Promise<Outcome & { err: string }> {
  const { code, out, err } = await omiOn(stack)(['--json', 'target', 'test', ...args]);
  expect(code).toBe(1);
  return { ...(JSON.parse(out) as Outcome), err };
}

describe('a stream target', () => {
  type SetUp = { target: string[]; roleName: string; trustPolicy: object };

  /** As a tenant does it, who was given the printed policies. */
  async function setUp(): Promise<SetUp> {
    const tenantId = await newTenant(stack);
    const roleName = `writer-${tenantId}`;
    const name = `events-${tenantId}`;
    const streamArn = tenantAccount.streamArn(name);
    await tenantAccount.createStream(name);
    const stream = ['--stream-arn', streamArn, '--external-id', randomUUID()];
    const { policies } = await json<{ policies: StreamPolicies }>(
      ...['target', 'policies', '--tenant', tenantId, ...stream, '--role-name', roleName],
    );
    const roleArn = await tenantAccount.createRole(roleName, policies);
    const target = ['--tenant', tenantId, '--category', 'public'];
    await json('target', 'set', 'stream', ...target, ...stream, '--role-arn', roleArn);
    return { target, roleName, trustPolicy: policies.trustPolicy };
  }

  test('goes live with the printed policies', async () => {
    const { target } = await setUp();
    // Nobody asks for a test but the command that registers it.
    const state = async () => (await json<Outcome[]>('target', 'status', ...target))[0]?.state;
    await until(async () => (await state()) === 'active');
    expect(await json('target', 'test', ...target)).toMatchObject({ state: 'active', actor: 'nobody' });
  });

  test('does not go live while its role is open without the external id', async () => {
    const { target, roleName, trustPolicy } = await setUp();
    const Principal = { AWS: 'arn:aws:iam::000000000000:root' };
    const Statement = [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }];
    await tenantAccount.setTrust(roleName, { Version: '2012-10-17', Statement });
    const { state, code, check, change, err } = await failedTest(...target);
    expect({ state, check: typeof check }).toEqual({ state: 'validating', check: 'string' });
    expect(code).toBe('Verification.OpenWithoutExternalId');
    expect(err).toContain(code);
    expect(change?.document).toBe('trustPolicy');
    expect({ ...trustPolicy, Statement: [change?.statement] }).toEqual(trustPolicy);
    await tenantAccount.setTrust(roleName, { ...trustPolicy, Statement: [change?.statement] });
    expect(await json('target', 'test', ...target)).toMatchObject({ state: 'active' });
  });
});

describe('a bucket target', () => {
  const key = `arn:aws:kms:eu-central-1:${account}:key/${randomUUID()}`;

  test('goes live when its owner repeats the text that the service wrote there', async () => {
    const tenantId = await newTenant(stack);
    const Bucket = `events-${tenantId}`;
    await tenantAccount.createBucket(Bucket);
    const target = ['--tenant', tenantId, '--category', 'log'];
    await json('target', 'set', 'bucket', ...target, '--bucket', Bucket, '--kms-key-arn', key);
    const first = await omiOn(stack)(['--json', 'target', 'test', ...target]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.err).toContain('Step 2 of 3');
    const { reason, code } = JSON.parse(first.out) as { reason: string; code: string };
    expect(code).toBe('Verification.OwnershipUnproven');
    const Key = /omi\/\S+/.exec(reason)?.[0] ?? '';
    const proof = await tenantAccount.textOf(Bucket, Key);
    expect((await failedTest(...target, '--proof', 'a guess')).err).toContain('WrongProof');
    expect(await json('target', 'test', ...target, '--proof', proof)).toMatchObject({
      state: 'active',
    });
  });
});
