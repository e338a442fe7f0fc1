import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { untilCalled } from '../../support/recorded-calls.ts';
import { beginFault } from '../export-faults/faults.ts';
import { succeeded } from '../expectations.ts';
import { untilGone } from '../faults/left-endpoints.ts';
import { enrolDevice } from '../scenario.ts';
import type { KilledScene } from './scene.ts';

/** Longer than the stack lives. */
const neverMs = 600_000;

export function removal(data: string): KilledScene {
  let userId = '';
  let token = '';
  let removing: Promise<unknown> | undefined;
  return {
    begin: async (stack) => {
      const device = await enrolDevice(stack.website);
      ({ userId } = device.identity);
      token = device.description.pushToken;
      const deletion = { service: 'sns', operation: 'DeleteEndpoint' } as const;
      await beginFault(stack.file, { ...deletion, fault: 'slow', delayMs: neverMs });
      removing = stack.website.removeDevice(userId, device.identity.deviceId).catch(() => undefined);
      await untilCalled(stack, 'remove-device', 'DeleteEndpoint');
    },
    whileDead: async () => {
      await removing;
      expect(await readFile(join(data, 'sns.json'), 'utf8')).toContain(token);
    },
    check: async (stack) => {
      expect(succeeded(await stack.website.listDevices(userId), 200)).toEqual({ devices: [] });
      await untilGone(stack, token);
    },
  };
}
