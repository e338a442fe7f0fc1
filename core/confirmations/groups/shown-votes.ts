import type { DeviceStore } from '../../devices/device-store.ts';
import type { Confirmation, ShownVotes } from '../confirmation.ts';
import type { GroupStore } from './group-store.ts';

/**
 * What a member sees of the other votes, where the tenant's setting allowed it when the group was asked. One read, and one more if somebody
 * has confirmed.
 *
 * @returns undefined if members do not see it
 */
export async function shownVotes(
  { groups, devices }: { groups: GroupStore; devices: DeviceStore },
  { tenantId, groupId, showVotes }: Confirmation,
  now: number,
): Promise<ShownVotes | undefined> {
  if (groupId === undefined || !showVotes) return undefined;
  const { confirmedBy = [] } = (await groups.find(groupId, now)) ?? {};
  if (confirmedBy.length === 0) return { confirmed: 0, confirmedBy: [] };
  const users = confirmedBy.map((userId) => ({ tenantId, userId }));
  const histories = await devices.findHistories(users);
  const labels = confirmedBy.flatMap((userId) => histories.get(userId)?.history.accountLabel ?? []);
  return { confirmed: confirmedBy.length, confirmedBy: labels };
}
