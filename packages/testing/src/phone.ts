import { randomUUID } from 'node:crypto';
import type { Device } from '@omi/website';
import type { Site } from './site.ts';
import { SigningKey } from './signing-key.ts';

/** A user's device: its key, and the service's receipt for it. */
export class Phone {
  readonly deviceId = randomUUID();
  readonly key = new SigningKey();
  readonly receipt: string;
  readonly #name: string;
  readonly #enrolledAt: number;

  constructor({ baseUrl, tenantId, receipts, clock }: Site, userId: string, name: string) {
    const now = clock.now();
    const { deviceId, key } = this;
    this.#name = name;
    this.#enrolledAt = now;
    this.receipt = receipts.sign(
      { typ: 'omi-receipt+jwt', kid: receipts.thumbprint },
      {
        ...{ iss: baseUrl, iat: Math.floor(now / 1000), sub: userId, tid: tenantId, deviceId },
        ...{ jkt: key.thumbprint, platform: 'web', by: 'test', client: 'test' },
      },
    );
  }

  view(): Device {
    return {
      deviceId: this.deviceId,
      name: this.#name,
      platform: 'web',
      status: 'active',
      enrolledAt: new Date(this.#enrolledAt).toISOString(),
      keyThumbprint: this.key.thumbprint,
      receipt: this.receipt,
    };
  }
}
