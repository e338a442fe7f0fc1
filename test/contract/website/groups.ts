import { expect, test } from '@jest/globals';
import { EvidenceError, Omi, verifyGroup } from '#website';
import type { GroupQuestion } from '../../../client/contract.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { sha256 } from '../../../client/digests.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { jsonOn } from '../../cli/omi.ts';
import { noticesTo } from '../further-devices/bank.ts';
import { enrolDevice, newNonce, newUser, openChallenge, pushesTo } from '../scenario.ts';

/** What several people are asked, that nobody was asked before. */
export const question = (
  phones: readonly SimulatedDevice[],
  required: number,
  changes: Partial<GroupQuestion> = {},
): GroupQuestion => ({
  nonce: newNonce(),
  message: 'Pay 25,000 EUR to Café Zoë?',
  members: phones.map(({ identity }) => identity.userId),
  required,
  ...changes,
});

/** The website of a tenant whose members see each other's votes. */
export async function websiteWithShownVotes(stack: TestStack): Promise<WebsiteClient> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    ...['tenant', 'create', '--name', 'Bank with votes', '--show-votes', 'on'],
  );
  const client = await json<{ clientId: string; clientSecret: string }>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'website', '--scope', 'all'],
  );
  return new WebsiteClient({ ...stack.file, ...client });
}

export function groups(stack: TestStack): void {
  const people = async (count: number) =>
    await Promise.all(
      Array.from(
        { length: count },
        async () => await enrolDevice(stack.website, newUser(), { platform: 'apns' }),
      ),
    );
  const ask = async (count: number, required: number, changes: Partial<GroupQuestion> = {}) => {
    const phones = await people(count);
    const asked = question(phones, required, changes);
    return { phones, asked, group: succeeded(await stack.website.requestGroup(asked), 202) };
  };
  const vote = async (phone: SimulatedDevice | undefined, decision: 'confirm' | 'deny' = 'confirm') => {
    if (!phone) throw new Error('There is no such member');
    const challenge = await openChallenge(phone);
    succeeded(decision === 'confirm' ? await phone.confirm(challenge) : await phone.deny(challenge), 200);
  };
  const look = async ({ nonce }: GroupQuestion) => succeeded(await stack.website.getGroup(nonce), 200);

  test('asks each member on the device, which shows how many must confirm', async () => {
    const { phones, asked, group } = await ask(3, 2);
    const { tenantId } = stack.file.tenants[0];
    expect(group).toMatchObject({ nonce: asked.nonce, status: 'pending', required: 2 });
    expect(group.groupId).toBe(sha256([tenantId, asked.nonce, 2, ...asked.members.toSorted()].join('\n')));
    expect(group.votes.map(({ userId, challengeId }) => [userId, challengeId])).toEqual(
      asked.members.map((userId) => [userId, sha256(`${group.groupId}\n${userId}`)]),
    );
    const [phone] = phones;
    if (!phone) throw new Error('There is no phone');
    const { context, message } = await openChallenge(phone);
    expect(message).toBe(asked.message);
    expect(JSON.parse(context)).toMatchObject({ group: { id: group.groupId, required: 2, of: 3 } });
    expect(await pushesTo(stack, phone.description.pushToken)).toHaveLength(1);
  });

  test('is approved by the deciding vote, which takes the notification of the others back', async () => {
    const { phones, asked } = await ask(3, 2);
    await vote(phones[0]);
    expect((await look(asked)).status).toBe('pending');
    await vote(phones[1]);
    const { status, votes } = await look(asked);
    expect([status, ...votes.map((one) => `${one.status} ${one.reason ?? ''}`)]).toEqual([
      'approved',
      'confirmed ',
      'confirmed ',
      'cancelled group_decided',
    ]);
    const [, , third] = phones;
    if (!third) throw new Error('There is no third phone');
    expect((await noticesTo(stack, third)).at(-1)?.payload).toMatchObject({ notice: 'answered' });
    expect(succeeded(await third.challenges(), 200).challenges).toEqual([]);
  });

  test('shows a member how many have confirmed and who, if the tenant allows', async () => {
    const website = await websiteWithShownVotes(stack);
    const phones = await Promise.all(Array.from({ length: 4 }, async () => await enrolDevice(website)));
    const [one, two, third] = phones;
    if (!one || !two || !third) throw new Error('There are too few phones');
    succeeded(await website.setAccountLabel(one.identity.userId, 'Anna · …4711'), 204);
    succeeded(await website.requestGroup(question(phones, 3)), 202);
    const { contextHash, votes } = await openChallenge(third);
    expect(votes).toEqual({ confirmed: 0, confirmedBy: [] });
    await vote(two);
    await vote(one);
    const now = await openChallenge(third);
    expect(now.votes).toEqual({ confirmed: 2, confirmedBy: ['Anna · …4711'] });
    // Nobody signs what changes.
    expect(now.contextHash).toBe(contextHash);
    await vote(third);
  });

  test('keeps its votes from the endpoints of confirmations, and of other tenants', async () => {
    const { phones, asked } = await ask(2, 2);
    expectProblem(await stack.website.getConfirmation(asked.nonce), 404, 'confirmation-not-found');
    expectProblem(await stack.website.withdraw(asked.nonce), 404, 'confirmation-not-found');
    succeeded(await stack.website.withdrawAll(asked.members[0] ?? ''), 204);
    expectProblem(await stack.neighbour.getGroup(asked.nonce), 404, 'group-not-found');
    expectProblem(await stack.neighbour.withdrawGroup(asked.nonce), 404, 'group-not-found');
    await vote(phones[0]);
    await vote(phones[1]);
    expect((await look(asked)).status).toBe('approved');
  });

  test('is asked, awaited and proved by the package', async () => {
    const phones = await people(3);
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const { clientId, clientSecret, tenantId } = tenants[0];
    const omi = new Omi({ baseUrl, tokenUrl, clientId, clientSecret, tenantId });
    const { members, message, nonce } = question(phones, 2);
    const details = [{ type: 'payment', amount: '25000.00' }];
    const asked = { members, message, nonce, required: 2, details };
    const group = await omi.confirmGroup({
      ...asked,
      onPending: async () => {
        await vote(phones[2]);
        await vote(phones[0]);
      },
    });
    expect(group.status).toBe('approved');
    const proved = await omi.verifyGroup(group, asked);
    expect([...proved.keys()]).toEqual([members[0], members[2]]);

    const keys = (await (await fetch(`${baseUrl}/.well-known/omi-keys`)).json()) as Parameters<
      typeof verifyGroup
    >[1]['keys'];
    const trust = { keys, baseUrl, tenantId };
    await expect(verifyGroup(group, { ...asked, ...trust })).resolves.toBeInstanceOf(Map);
    const [first] = group.votes;
    if (!first) throw new Error('There is no vote');
    const codeOf = async (changed: object, other: object = {}) => {
      const error = await verifyGroup({ ...group, ...changed }, { ...asked, ...trust, ...other }).catch(
        (reason: unknown) => reason,
      );
      return error instanceof EvidenceError ? error.code : error;
    };
    expect(await codeOf({ status: 'denied' })).toBe('status');
    expect(await codeOf({ votes: group.votes.slice(1) })).toBe('votes');
    expect(await codeOf({ votes: [first, first, first] })).toBe('votes');
    expect(await codeOf({}, { required: 1 })).toBe('challengeId');
    expect(await codeOf({}, { members: members.slice(1) })).toBe('votes');
    expect(await codeOf({}, { members: [...members, 'somebody'] })).toBe('challengeId');
    expect(await codeOf({}, { message: 'Pay 1 EUR?' })).toBe('messageHash');
    expect(await codeOf({}, { tenantId: stack.file.tenants[1].tenantId })).toBe('tid');
  });
}
