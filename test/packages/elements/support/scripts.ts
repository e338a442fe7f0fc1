import type { Call, Reply, Script } from './page-server.ts';

export const phone = { deviceId: 'phone', name: 'Anna’s phone', platform: 'web', status: 'active' };
export const tablet = { deviceId: 'tablet', name: 'Tablet', platform: 'web', status: 'unreachable' };

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
export const ended = (status: string, reason?: string) => ({ status, reason, expiresInMs: 0, interval: 1 });
export const confirmed = ended('confirmed');

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { code, detail: 'Not now.' },
  headers,
});

type Answers = {
  devices?: (call: Call) => Reply;
  confirm?: (call: Call) => Reply;
  look?: (call: Call) => Reply;
  withdraw?: (call: Call) => Reply;
  withdrawOthers?: (call: Call) => Reply;
  enrol?: (call: Call) => Reply;
  enrolment?: (call: Call) => Reply;
};

export const devicesOf = (...devices: object[]): Reply => ({ body: { devices } });

export const started = (id = 'enrolment-1', account?: string): Reply => ({
  status: 201,
  body: {
    id,
    link: 'https://app.example.org/enrol#v=1&api=https%3A%2F%2Fapi.example.org%2Fprod&code=3q2-7wAAAAAAAAAAAAAAAA',
    expiresInMs: 600_000,
    ...(account !== undefined && { account }),
  },
});

/** Routes that answer as those of the website do: the user has a phone, and does not answer. */
export const service =
  (answers: Answers = {}): Script =>
  (call) => {
    const { method, path } = call;
    const { devices, confirm, look, withdraw, withdrawOthers, enrol, enrolment } = answers;
    if (path === '/omi/devices') return devices?.(call) ?? devicesOf(phone);
    if (path.startsWith('/omi/enrolments'))
      return method === 'POST'
        ? (enrol?.(call) ?? started())
        : (enrolment?.(call) ?? { body: { status: 'waiting' } });
    if (method === 'POST') return confirm?.(call) ?? { status: 201, body: asked };
    if (method === 'DELETE' && path === '/omi/confirmations')
      return withdrawOthers?.(call) ?? { status: 204 };
    if (method === 'DELETE') return withdraw?.(call) ?? { status: 204 };
    return look?.(call) ?? { body: pending };
  };
