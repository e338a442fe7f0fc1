import type { Device } from '../types.ts';
import type { Surroundings } from './confirmations.ts';
import { Kept } from './kept.ts';

/** What the page may know of a device: enough to choose one. */
export type PageDevice = Pick<Device, 'deviceId' | 'name' | 'platform' | 'status'>;

export const pageDevice = ({ deviceId, name, platform, status }: Device): PageDevice => ({
  deviceId,
  name,
  platform,
  status,
});

type Names = Partial<Record<string, string>>;

const KEPT_SECONDS = 3600;

/** Users' devices. Their names are kept, so that naming the device of a confirmation seldom needs a call. */
export class Devices {
  readonly #around: Surroundings;
  readonly #names: Kept<Names>;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#names = new Kept(around.store, 'device-names');
  }

  async list(userId: string): Promise<PageDevice[]> {
    return (await this.#around.service.devices(userId)).map(pageDevice);
  }

  /** Names by device id: the kept ones, unless the device that is looked for is not among them. */
  async names(userId: string, wanted?: string): Promise<Names> {
    try {
      const kept = await this.#names.get(userId);
      return kept && (wanted === undefined || wanted in kept) ? kept : await this.#fetch(userId);
    } catch (error) {
      // Without a name, the user is asked all the same.
      this.#around.onError(error);
      return {};
    }
  }

  async #fetch(userId: string): Promise<Names> {
    const devices = await this.list(userId);
    const names = Object.fromEntries(devices.map(({ deviceId, name }) => [deviceId, name]));
    await this.#names.put(userId, names, KEPT_SECONDS);
    return names;
  }
}
