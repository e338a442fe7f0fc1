import type { Platform } from '../platform/index.ts';
import type { Message } from '../state/messages.ts';
import { loadConfig } from './run-effect.ts';

type Send = (message: Message) => void;

/** Reads what is stored on this device. Without storage the app cannot keep a key, and says so. */
export async function start(platform: Platform, send: Send): Promise<void> {
  try {
    const [accounts, lost, hasPasskeys, pending] = await Promise.all([
      platform.accounts.list(),
      platform.accounts.lost(),
      platform.passkeys.available(),
      platform.enrolment.pending(),
    ]);
    send({
      type: 'started',
      accounts,
      lost,
      hasPasskeys,
      pending,
      install: platform.install.state(),
      permission: platform.push.permission(),
      online: platform.network.online(),
    });
  } catch {
    send({ type: 'broken' });
    return;
  }
  await loadConfig(platform, send);
}
