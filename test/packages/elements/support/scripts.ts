import type { Reply, Script } from './page-server.ts';

export const phone = { deviceId: 'phone', name: 'Anna’s phone', platform: 'web', status: 'active' };

export const asked = {
  id: 'confirmation-1',
  deviceId: 'phone',
  deviceName: phone.name,
  message: 'Pay 20.00 EUR to Jo?',
  status: 'pending',
  delivery: 'sent',
  expiresAt: '2030-01-01T00:00:00.000Z',
  expiresInMs: 120_000,
  interval: 0.2,
};

export const pending = { status: 'pending', expiresInMs: 110_000, interval: 0.2 };
export const confirmed = { status: 'confirmed', expiresInMs: 0, interval: 1 };

type Answers = {
  devices?: () => object[];
  confirm?: () => object;
  status?: () => object;
};

/** Routes that answer as those of the website do. */
export function service({ devices, confirm, status }: Answers): Script {
  return ({ method, path }): Reply | undefined => {
    if (path === '/omi/devices') return { body: { devices: devices?.() ?? [phone] } };
    if (method === 'POST' && path.startsWith('/omi/confirmations'))
      return { status: 201, body: confirm?.() ?? asked };
    if (method === 'GET') return { body: status?.() ?? pending };
    return { status: 204 };
  };
}
