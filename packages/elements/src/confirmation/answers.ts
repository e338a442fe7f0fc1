import { membersOf, numberOf, textOf } from '../http/reading.ts';
import type { Asked, Device, Outcome } from './state.ts';

/** The devices of an answer. Undefined: it has another form. */
export function readDevices(body: unknown): Device[] | undefined {
  const { devices } = membersOf(body);
  if (!Array.isArray(devices)) return undefined;
  return devices.flatMap((device: unknown) => {
    const { deviceId, name, status } = membersOf(device);
    const id = textOf(deviceId);
    return id === undefined
      ? []
      : [{ deviceId: id, name: textOf(name) ?? id, isReachable: status !== 'unreachable' }];
  });
}

type Timing = { expiresInMs: number; intervalMs: number };

const DEFAULT_INTERVAL_S = 2;

function readTiming(body: unknown): Timing {
  const { expiresInMs, interval } = membersOf(body);
  return {
    expiresInMs: Math.max(0, numberOf(expiresInMs) ?? 0),
    intervalMs: Math.max(0.2, numberOf(interval) ?? DEFAULT_INTERVAL_S) * 1_000,
  };
}

export function readAsked(body: unknown): ({ asked: Asked } & Timing) | undefined {
  const { id, message, deviceName, delivery, matchCode } = membersOf(body);
  const [known, text, name, code] = [id, message, deviceName, matchCode].map(textOf);
  if (known === undefined || text === undefined) return undefined;
  const asked = {
    id: known,
    message: text,
    isDelivered: delivery === 'sent',
    ...(name !== undefined && { deviceName: name }),
    ...(code !== undefined && { matchCode: code }),
  };
  return { asked, ...readTiming(body) };
}

const ends: readonly string[] = ['confirmed', 'denied', 'expired', 'cancelled', 'failed'];
const isEnd = (status: string | undefined): status is Outcome['status'] => ends.includes(status ?? '');

/** `outcome` is undefined while the confirmation is pending. */
export function readPolled(body: unknown): ({ outcome: Outcome | undefined } & Timing) | undefined {
  const { status, reason } = membersOf(body);
  const [state, why] = [textOf(status), textOf(reason)];
  const timing = readTiming(body);
  if (state === 'pending') return { outcome: undefined, ...timing };
  if (!isEnd(state)) return undefined;
  return { outcome: { status: state, ...(why !== undefined && { reason: why }) }, ...timing };
}
