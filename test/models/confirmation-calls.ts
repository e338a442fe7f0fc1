import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Confirmation } from '../../core/confirmations/confirmation.ts';
import { expireIfDue } from '../../core/confirmations/expire-if-due.ts';
import { type Group, groupIdOf, voteIdOf } from '../../core/confirmations/groups/group.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { Outbox } from '../../core/events/outbox-writer.ts';
import { challengeIdOf, messageHashOf } from '../../core/kernel/identifiers.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { defaultSettings } from '../../core/tenants/tenant.ts';
import { PushWorld } from '../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const early = start + 1_000;
const late = start + 121_000;
const nonce = 'nonce-of-the-group';
const required = 2;
const deviceIds = ['phone', 'tablet'];

/** As the model prints it: `call answer 0 1 confirmed 0`. */
export type Call = { kind: string; member: number; device: number; choice: string; isLate: boolean };

export const readCall = ([kind = '', member, device, choice = '', isLate]: string[]): Call => ({
  kind,
  ...{ member: Number(member), device: Number(device), choice, isLate: isLate === '1' },
});

const wordOf = (code: string): string => code.replaceAll('-', '_');

/** A status with its reason, in the words of the model. */
export const statusWord = ({ status, reason }: Pick<Confirmation, 'status' | 'reason'>): string => {
  const words: Record<string, string> = {
    not_me: 'not_me',
    device_removed: 'removed',
    group_decided: 'decided',
  };
  if (reason === 'withdrawn') return 'withdrawn';
  return (reason && words[reason]) ?? status;
};

/** The question of one run of the model, on tables that runs share, and the calls for it as the model names them. */
export class ConfirmationCalls {
  readonly tenantId = randomUUID();
  readonly members: readonly string[];
  readonly #client: DynamoDBDocumentClient;
  readonly #isGroup: boolean;

  constructor(client: DynamoDBDocumentClient, isGroup: boolean) {
    this.#client = client;
    this.#isGroup = isGroup;
    this.members = isGroup ? ['anna', 'boris', 'carla'] : ['user'];
  }

  get groupId(): string | undefined {
    const { tenantId, members } = this;
    return this.#isGroup ? groupIdOf({ tenantId, nonce, required, members }) : undefined;
  }

  async enrol(): Promise<void> {
    const devices = this.#isGroup ? deviceIds.slice(0, 1) : deviceIds;
    for (const userId of this.members)
      for (const deviceId of devices) await this.#world(userId).addDevice(deviceId, start - 1_000);
  }

  /** @returns the outcome, in the words of the model */
  async make(call: Call, client: DynamoDBDocumentClient): Promise<string> {
    try {
      return await this.#run(call, this.#world(this.members[call.member] ?? '', client), client);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return error.code === 'device-not-found' ? 'no_device' : wordOf(error.code);
    }
  }

  async #run(call: Call, world: PushWorld, client: DynamoDBDocumentClient): Promise<string> {
    const now = call.isLate ? late : early;
    switch (call.kind) {
      case 'ask':
        return (await this.#ask(world)).repeated ? 'repeated' : 'created';
      case 'answer':
        return await this.#answer(world, call, now);
      case 'look':
        return await this.#look(call.member, client, now);
      case 'look_at_group':
        return (await world.group(now)).group.status;
      case 'withdraw':
        await (this.#isGroup ? world.withdrawGroup(now) : world.withdraw(nonce, now));
        return 'done';
      case 'remove':
        await world.remove(deviceIds[call.device] ?? '', now);
        return 'done';
      default:
        throw new Error(`The model has a call that the test does not know: ${call.kind}`);
    }
  }

  async #ask(world: PushWorld): Promise<{ repeated: boolean }> {
    return this.#isGroup
      ? await world.requestGroup({ members: [...this.members], required }, start)
      : await world.ask({ nonce, devices: 'all' }, start);
  }

  async #answer(world: PushWorld, { member, device, choice }: Call, now: number): Promise<string> {
    const decision = choice === 'confirmed' ? 'confirm' : 'deny';
    const reason = choice === 'not_me' && { reason: 'not_me' as const };
    const challengeId = this.challengeId(member);
    const claims = { challengeId, messageHash: messageHashOf('Pay?'), decision, ...reason } as const;
    const status = await world.answer(deviceIds[device] ?? '', claims, `${member}-${device}-${choice}`, now);
    if (status === undefined) return 'no_device';
    return statusWord({ status, ...reason });
  }

  /** As a poll does, and the expiry that nobody polled for. */
  async #look(member: number, client: DynamoDBDocumentClient, now: number): Promise<string> {
    const { confirmations } = this.#world('', client);
    const outbox = new Outbox(client, 'events', { instanceId: 'test', version: '1' });
    const found = await confirmations.find(this.challengeId(member), now);
    if (!found) return 'none';
    const context = { now, origin: { traceId: 'trace' } };
    return statusWord(await expireIfDue({ confirmations, outbox }, found, context));
  }

  challengeId(member: number): string {
    const { groupId, tenantId } = this;
    return groupId === undefined
      ? challengeIdOf(tenantId, nonce)
      : voteIdOf(groupId, this.members[member] ?? '');
  }

  /** Status, evidence and number of ends of a member, as the model prints them. */
  async ofMember(member: number): Promise<string[]> {
    const world = this.#world('');
    const found = await world.confirmations.find(this.challengeId(member), early);
    const ends = (await world.events(this.challengeId(member))).length - 1;
    return found
      ? [statusWord(found), found.evidence === undefined ? '0' : '1', String(ends)]
      : ['none', '0', '0'];
  }

  /** Status, members who confirmed, and number of ends of the group. */
  async ofGroup(): Promise<string[]> {
    const { groupId = '' } = this;
    const group = await new GroupStore(this.#client, 'confirmations').find(groupId, early);
    const ends = (await this.#world('').events(groupId)).length - 1;
    return group ? [group.status, String(this.#bitsOf(group)), String(ends)] : ['none', '0', '0'];
  }

  #bitsOf({ confirmedBy }: Group): number {
    return this.members.reduce(
      (bits, userId, index) => bits + (confirmedBy.includes(userId) ? 2 ** index : 0),
      0,
    );
  }

  #world(userId: string, client = this.#client): PushWorld {
    return new PushWorld(client, defaultSettings, this.tenantId, userId);
  }
}
