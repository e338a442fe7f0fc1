import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import {
  decisionOf,
  groupIdOf,
  groupTransitions,
  groupView,
  voteIdOf,
  type GroupWithVotes,
} from '../../../core/confirmations/groups/group.ts';
import { countVote } from '../../../core/confirmations/groups/count-vote.ts';
import { GroupStore } from '../../../core/confirmations/groups/group-store.ts';
import { ConflictError } from '../../../core/kernel/conflict-error.ts';
import { readContext } from '../../../core/confirmations/context.ts';
import { messageHashOf, sha256 } from '../../../core/kernel/identifiers.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const start = Date.UTC(2026, 0, 1, 12);
const second = 1000;
const hour = 3600 * second;
const nonce = 'nonce-of-the-group';

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

/** The users of one tenant, each with the devices that are named. */
class Members {
  readonly tenantId = randomUUID();
  readonly #worlds = new Map<string, PushWorld>();

  static async with(devices: Record<string, string[]>, settings: TenantSettings = defaultSettings) {
    const members = new Members();
    for (const [userId, names] of Object.entries(devices)) {
      const world = new PushWorld(client, settings, members.tenantId, userId);
      members.#worlds.set(userId, world);
      for (const name of names) await world.addDevice(name, start - hour);
    }
    return members;
  }

  get ids(): string[] {
    return [...this.#worlds.keys()];
  }

  of(userId: string): PushWorld {
    const world = this.#worlds.get(userId);
    if (!world) throw new Error(`${userId} is no member`);
    return world;
  }

  get any(): PushWorld {
    return this.of(this.ids[0] ?? '');
  }

  groupId(required: number): string {
    return groupIdOf({ tenantId: this.tenantId, nonce, required, members: this.ids });
  }

  async ask(required: number, changes: object = {}, now = start) {
    return await this.any.requestGroup({ members: this.ids, required, ...changes }, now);
  }

  async vote(
    userId: string,
    decision: 'confirm' | 'deny',
    { required = 2, now = start + second, device = 'phone' } = {},
  ) {
    const challengeId = voteIdOf(this.groupId(required), userId);
    const claims = { challengeId, messageHash: messageHashOf('Pay?'), decision };
    return await this.of(userId).answer(device, claims, `${userId}-${device}-${decision}`, now);
  }

  async typesOf(aggregateId: string): Promise<string[]> {
    return (await this.any.events(aggregateId)).map(({ metadata }) => metadata.type);
  }

  get pushes(): number {
    return [...this.#worlds.values()].reduce((sum, { sns }) => sum + sns.published, 0);
  }
}

const three = async () => await Members.with({ anna: ['phone'], boris: ['phone'], carla: ['phone'] });
const refusedWith = (code: string) => expect.objectContaining({ code }) as unknown;
const ends = ({ group, votes }: GroupWithVotes) => [
  group.status,
  Object.fromEntries(votes.map(({ userId, status, reason = '' }) => [userId, `${status} ${reason}`.trim()])),
];

describe('a group', () => {
  test('has ids that anyone can compute, and votes on all devices that show how many must confirm', async () => {
    const members = await Members.with({ boris: ['phone'], anna: ['phone', 'tablet'] });
    const { group, votes } = await members.ask(2);
    const id = sha256(`${members.tenantId}\n${nonce}\n2\nanna\nboris`);
    expect(group.groupId).toBe(id);
    expect(members.pushes).toBe(3);
    const view = groupView({ group, votes }, start);
    expect(view).toMatchObject({ nonce, groupId: id, status: 'pending', required: 2 });
    expect(view.votes.map(({ userId, challengeId, deviceIds }) => [userId, challengeId, deviceIds])).toEqual([
      ['boris', sha256(`${id}\nboris`), ['phone']],
      ['anna', sha256(`${id}\nanna`), ['phone', 'tablet']],
    ]);
    for (const vote of view.votes) {
      expect(vote).not.toHaveProperty('nonce');
      expect(readContext(vote.context).group).toEqual({ id, required: 2, of: 2 });
    }
  });

  test('is approved when as many have confirmed as must, which ends the votes that are open', async () => {
    const members = await three();
    await members.ask(2);
    await members.vote('anna', 'confirm');
    expect((await members.any.group(start + second)).group.status).toBe('pending');
    await members.vote('carla', 'confirm', { now: start + 2 * second });
    const found = await members.any.group(start + 3 * second);
    expect(ends(found)).toEqual([
      'approved',
      { anna: 'confirmed', boris: 'cancelled group_decided', carla: 'confirmed' },
    ]);
    expect(found.group.decidedAt).toBe(start + 2 * second);
    await expect(members.vote('boris', 'deny', { now: start + 3 * second })).rejects.toEqual(
      refusedWith('already-decided'),
    );
    expect(await members.typesOf(members.groupId(2))).toEqual([
      'ConfirmationGroupRequestedEvent',
      'ConfirmationGroupApprovedEvent',
    ]);
    expect(await members.typesOf(voteIdOf(members.groupId(2), 'boris'))).toEqual([
      'PushNotificationSentEvent',
      'PushNotificationCancelledEvent',
    ]);
  });

  test('is denied as soon as too few are left who could confirm', async () => {
    const members = await three();
    await members.ask(2);
    await members.vote('anna', 'deny');
    expect((await members.any.group(start + second)).group.status).toBe('pending');
    await members.vote('boris', 'deny');
    expect(ends(await members.any.group(start + 2 * second))).toEqual([
      'denied',
      {
        anna: 'denied user_declined',
        boris: 'denied user_declined',
        carla: 'cancelled group_decided',
      },
    ]);
  });

  test('takes no vote that was read before the deciding one, and reads it again', async () => {
    const members = await three();
    await members.ask(1);
    const { confirmations, devices } = members.any;
    const read = await confirmations.find(voteIdOf(members.groupId(1), 'boris'), start + second);
    if (!read) throw new Error('There is no such vote');
    await members.vote('anna', 'confirm', { required: 1 });
    const deps = { groups: new GroupStore(client, 'confirmations'), confirmations, devices };
    const context = { now: start + second, origin: { traceId: 'trace' } };
    await expect(countVote(deps, read, true, context)).rejects.toThrow(ConflictError);
    await expect(members.vote('boris', 'confirm', { required: 1 })).rejects.toEqual(
      refusedWith('already-decided'),
    );
  });

  test('has one end when the deciding votes come at the same moment', async () => {
    const members = await Members.with({
      anna: ['phone'],
      boris: ['phone'],
      carla: ['phone'],
      dora: ['phone'],
    });
    await members.ask(1);
    const votes = await Promise.allSettled(
      members.ids.map(
        async (userId, index) => await members.vote(userId, index % 2 ? 'deny' : 'confirm', { required: 1 }),
      ),
    );
    const lost = votes.flatMap((vote) => (vote.status === 'rejected' ? [vote.reason as Refusal] : []));
    expect(lost.every(({ code }) => code === 'already-decided')).toBe(true);
    const { group, votes: all } = await members.any.group(start + 2 * second);
    expect(group.confirmedBy).toHaveLength(1);
    expect(all.filter(({ status }) => status === 'confirmed')).toHaveLength(1);
    expect(await members.typesOf(group.groupId)).toEqual([
      'ConfirmationGroupRequestedEvent',
      'ConfirmationGroupApprovedEvent',
    ]);
  });

  test('expires once, with the votes that are open', async () => {
    const members = await three();
    await members.ask(2);
    await members.vote('anna', 'confirm');
    const over = start + 120 * second;
    const seen = await Promise.all([members.any.group(over), members.any.group(over)]);
    expect(seen.map(({ group }) => group.status)).toEqual(['expired', 'expired']);
    expect(groupView(seen[0], over).votes.map(({ status }) => status)).toEqual([
      'confirmed',
      'expired',
      'expired',
    ]);
    expect(await members.typesOf(members.groupId(2))).toEqual([
      'ConfirmationGroupRequestedEvent',
      'ConfirmationGroupExpiredEvent',
    ]);
    await expect(members.vote('boris', 'confirm', { now: over - 1 })).rejects.toEqual(
      refusedWith('challenge-expired'),
    );
  });

  test('is withdrawn with its votes, each a withdrawal in the limits of its member', async () => {
    const members = await three();
    await members.ask(2);
    await members.vote('anna', 'deny');
    await members.any.withdrawGroup(start + 2 * second);
    await members.any.withdrawGroup(start + 3 * second);
    expect(ends(await members.any.group(start + 3 * second))).toEqual([
      'cancelled',
      { anna: 'denied user_declined', boris: 'cancelled withdrawn', carla: 'cancelled withdrawn' },
    ]);
    const { history } = await members.any.devices.loadUser(members.of('boris'));
    expect(history).toMatchObject({ open: {}, sentAt: [], withdrawnAt: [start + 2 * second] });
  });

  test('frees the devices whose votes were not needed, and counts no unsuccessful end for them', async () => {
    const members = await three();
    await members.ask(1);
    await members.vote('anna', 'confirm', { required: 1 });
    const { history } = await members.any.devices.loadUser(members.of('boris'));
    expect(history).toMatchObject({ open: {}, unsuccessfulInARow: 0, sentAt: [start] });
    // The two others are told: their notifications are replaced.
    expect(members.pushes).toBe(5);
  });

  test('fails the vote of a member without a device or free place, and is refused if too few are left', async () => {
    const members = await Members.with({ anna: ['phone'], boris: [], carla: ['phone'] });
    await members.of('carla').ask({ nonce: 'nonce-of-carla-alone' }, start);
    await expect(members.ask(2)).rejects.toMatchObject({
      code: 'group-not-reachable',
      options: {
        errors: [
          { pointer: '/members/1', detail: 'This user has no device' },
          { pointer: '/members/2', detail: 'This user has other confirmations open on all devices' },
        ],
      },
    });
    expect(members.pushes).toBe(1);
    expect(ends(await members.ask(1))).toEqual([
      'pending',
      { anna: 'pending', boris: 'failed not_reachable', carla: 'failed not_reachable' },
    ]);
    await members.vote('anna', 'deny', { required: 1 });
    expect((await members.any.group(start + 2 * second)).group).toMatchObject({
      status: 'denied',
      lostBy: ['boris', 'carla', 'anna'],
    });
  });

  test('loses the vote of a member whose last device is removed', async () => {
    const members = await Members.with({ anna: ['phone', 'tablet'], boris: ['phone'] });
    await members.ask(2);
    await members.of('anna').remove('phone', start + second);
    expect((await members.any.group(start + second)).group.status).toBe('pending');
    await members.of('anna').remove('tablet', start + 2 * second);
    expect(ends(await members.any.group(start + 3 * second))).toEqual([
      'denied',
      { anna: 'cancelled device_removed', boris: 'cancelled group_decided' },
    ]);
    expect((await members.any.devices.loadUser(members.of('anna'))).devices).toEqual([]);
  });

  test('has expired votes after its time, whatever a clock that is behind removes', async () => {
    const members = await Members.with({ anna: ['phone'], boris: ['phone'] });
    await members.ask(2, { expiresIn: 60 });
    const over = start + 61 * second;
    const seen = ends(await members.any.group(over));
    await members.of('anna').remove('phone', start + 59 * second);
    expect(ends(await members.any.group(over + second))).toEqual(seen);
    expect(await members.typesOf(voteIdOf(members.groupId(2), 'anna'))).not.toContain(
      'PushNotificationCancelledEvent',
    );
  });

  test('is repeated by the same request alone, whatever the order of its members', async () => {
    const members = await three();
    await members.ask(2);
    const again = await members.ask(2, { members: members.ids.toReversed() }, start + second);
    expect(again.repeated).toBe(true);
    expect(members.pushes).toBe(3);
    const others = [
      { message: 'Pay more?' },
      { expiresIn: 60 },
      { members: ['anna', 'boris'] },
      { requestedFrom: { place: 'Köln' } },
      { details: '[{"type":"payment"}]' },
    ];
    for (const changes of others)
      await expect(members.ask(2, changes, start + second)).rejects.toEqual(
        refusedWith('nonce-already-used'),
      );
    await expect(members.ask(1, {}, start + second)).rejects.toEqual(refusedWith('nonce-already-used'));
    const another = { ...members.any.caller, clientId: 'another' };
    await expect(
      members.any.requestGroup({ members: members.ids, required: 2 }, start + second, another),
    ).rejects.toEqual(refusedWith('nonce-already-used'));
  });

  test('shares its nonce with no confirmation', async () => {
    const members = await three();
    await members.ask(2);
    await expect(members.of('anna').ask({ nonce }, start + second)).rejects.toEqual(
      refusedWith('confirmation-pending'),
    );
    await members.vote('anna', 'deny');
    await expect(members.of('anna').ask({ nonce }, start + second)).rejects.toEqual(
      refusedWith('nonce-already-used'),
    );
    expect(await members.any.poll(nonce, start + second)).toBeUndefined();
    await members.any.withdrawGroup(start + 2 * second);
    await members.of('anna').ask({ nonce: 'nonce-of-a-question' }, start + 3 * second);
    await expect(members.ask(2, { nonce: 'nonce-of-a-question' }, start + 3 * second)).rejects.toEqual(
      refusedWith('nonce-already-used'),
    );
  });

  test('may have 20 members, whose open votes the deciding one ends', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `member-${index}`);
    const members = await Members.with(Object.fromEntries(twenty.map((userId) => [userId, ['phone']])));
    await members.ask(1);
    await members.vote('member-7', 'confirm', { required: 1 });
    const { votes } = await members.any.group(start + 2 * second);
    expect(votes.filter(({ reason }) => reason === 'group_decided')).toHaveLength(19);
  });

  test('is made once by two equal requests at the same moment', async () => {
    const members = await three();
    const both = await Promise.all([members.ask(2), members.ask(2)]);
    expect(both.map(({ repeated }) => repeated).toSorted()).toEqual([false, true]);
    expect(members.pushes).toBe(3);
  });
});

/** Members who vote, lose their devices, or do nothing; the website may withdraw. Steps of a round happen at the same moment. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('confirm', 'deny'), member: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), member: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw'), member: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look'), member: fc.constant(0) }) },
);
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

test('whatever its members do at the same time, a group has exactly one end, which its votes explain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), rounds, async (required, all) => {
      const members = await Members.with({
        anna: ['phone'],
        boris: ['phone'],
        carla: ['phone'],
        dora: ['phone'],
      });
      await members.ask(required);
      const run = async ({ kind, member }: (typeof all)[number][number], now: number) => {
        const userId = members.ids[member] ?? '';
        if (kind === 'remove') await members.of(userId).remove('phone', now);
        else if (kind === 'withdraw') await members.any.withdrawGroup(now);
        else if (kind === 'look') await members.any.group(now);
        else await members.vote(userId, kind, { required, now });
      };
      let now = start;
      for (const round of all) {
        now += 50 * second;
        const done = await Promise.allSettled(round.map(async (one) => await run(one, now)));
        for (const one of done) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
      }
      const { group, votes } = await members.any.group(start + 200 * second);
      const ended = Object.values(groupTransitions).find(({ to }) => to === group.status);
      expect(await members.typesOf(group.groupId)).toEqual(['ConfirmationGroupRequestedEvent', ended?.event]);
      const decided = decisionOf(group, group);
      expect(decided && groupTransitions[decided].to).toBe(
        group.status === 'approved' || group.status === 'denied' ? group.status : undefined,
      );
      const confirmed = votes.filter(({ status }) => status === 'confirmed').map(({ userId }) => userId);
      expect(confirmed.toSorted()).toEqual(group.confirmedBy.toSorted());
      if (group.status !== 'expired') expect(votes.filter(({ status }) => status === 'pending')).toEqual([]);
      for (const { challengeId, status } of votes)
        expect(await members.typesOf(challengeId)).toHaveLength(status === 'pending' ? 1 : 2);
    }),
    { numRuns: propertyRuns(25) },
  );
});
