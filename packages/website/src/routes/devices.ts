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

const keptSeconds = 3600;

/** Users' devices. Their names are kept, so that naming the device of a confirmation seldom needs a call. */
export class Devices {
  readonly #around: Surroundings;
  readonly #names: Kept<Names>;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#names = new Kept(around.store, 'device-names');
  }

  /** As they are now. */
  async list(userId: string): Promise<PageDevice[]> {
    const devices = (await this.#around.service.devices(userId)).map(pageDevice);
    // Without their names in the store, the list is right all the same.
    await this.#names.put(userId, namesOf(devices), keptSeconds).catch(this.#around.onError);
    return devices;
  }

  /** Names by device id: the kept ones, unless the device that is looked for is not among them. */
  async names(userId: string, wanted?: string): Promise<Names> {
    try {
      const kept = await this.#names.get(userId);
      const isEnough = kept && (wanted === undefined || wanted in kept);
      return isEnough ? kept : namesOf(await this.list(userId));
    } catch (error) {
      // Without a name, the user is asked all the same.
      this.#around.onError(error);
      return {};
    }
  }
}

const namesOf = (devices: readonly PageDevice[]): Names =>
  Object.fromEntries(devices.map(({ deviceId, name }) => [deviceId, name]));
