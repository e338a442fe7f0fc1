import { membersOf, numberOf, textOf } from '../http/reading.ts';
import type { Look, Started } from './state.ts';

export function readStarted(body: unknown): Started | undefined {
  const { id, link, expiresInMs } = membersOf(body);
  const [known, address, lifetime] = [textOf(id), textOf(link), numberOf(expiresInMs)];
  // A link with another scheme could run code.
  if (known === undefined || address === undefined || !/^https?:\/\//.test(address)) return undefined;
  return { id: known, link: address, expiresInMs: Math.max(0, lifetime ?? 0) };
}

export function readLook(body: unknown): Look | undefined {
  const { status, device } = membersOf(body);
  if (status !== 'waiting' && status !== 'completed' && status !== 'expired') return undefined;
  const name = textOf(membersOf(device)['name']);
  return { status, ...(name !== undefined && { deviceName: name }), ...(device !== undefined && { device }) };
}
