import type { Device } from './device.ts';
import type { DeviceStore } from './device-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type RenameDeps = { devices: DeviceStore };

/** What a device sent: what its user calls it from now on, and the `iat` of the request. */
export type Renaming = { device: Device; name: string; issuedAt: number };

/**
 * Gives a device another name. What was asked before keeps the name that it shows: it is signed.
 *
 * @param load reads and verifies the device again for each attempt
 * @throws {Refusal} `stale-request` if a newer name was accepted: a captured request must not bring an old one back
 */
export async function renameDevice({ devices }: RenameDeps, load: () => Promise<Renaming>): Promise<void> {
  await retryOnConflict(async () => {
    const { device, name, issuedAt } = await load();
    if (issuedAt < (device.nameIssuedAt ?? -Infinity))
      throw new Refusal('stale-request', 'A name of a newer request was accepted.');
    if (await devices.rename(device, name, issuedAt)) return;
    throw new ConflictError('the device changed');
  });
}
