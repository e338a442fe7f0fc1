import { DeviceError } from '#device';
import type { Platform } from '../platform/index.ts';
import { hashOf } from '../routes.ts';
import type { Effect } from '../state/effects.ts';
import type { Failure, Message } from '../state/messages.ts';

type Send = (message: Message) => void;
type Named<Type extends Effect['type']> = Extract<Effect, { type: Type }>;

/** How an effect failed, for a message. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof DeviceError)) return { code: 'unexpected' };
  const { code, serverTime, retryAfter } = error;
  return { code, serverTime, retryAfter };
}

type Context = { readonly platform: Platform; readonly send: Send };

/**
 * Does what `update` wants done. Results come back as messages. What nobody waits for, such as an entry of the history, may
 * fail in silence: the answer itself has arrived.
 */
export function runEffect(platform: Platform, send: Send, effect: Effect): void {
  void perform({ platform, send }, effect).catch(() => undefined);
}

type Performers = {
  [Type in Effect['type']]: (effect: Named<Type>, context: Context) => unknown;
};

// Nothing waits before the call of the browser: some interfaces work only within the user's click.
async function perform<Type extends Effect['type']>(context: Context, effect: Named<Type>): Promise<void> {
  const performer: Performers[Type] = performers[effect.type];
  await performer(effect, context);
}

const performers: Performers = {
  fetch: fetchChallenges,
  verify,
  answer,
  record: async ({ entry }, { platform, send }) => {
    await platform.history.add(entry);
    send({ type: 'history', entries: await platform.history.list() });
  },
  announce: ({ challengeId, outcome }, { platform }) =>
    platform.tabs.announce({ type: 'answered', challengeId, outcome }),
  'close-notification': async ({ challengeId }, { platform }) =>
    await platform.push.closeNotification(challengeId),
  'set-names': async ({ deviceId, names }, { platform }) => await platform.accounts.setNames(deviceId, names),
  navigate,
  'load-accounts': async (_, { platform, send }) => await loadAccounts(platform, send),
  'load-brand': async ({ tenantId }, { platform, send }) => {
    const brand = await platform.brand(tenantId);
    if (brand) send({ type: 'branded', tenantId, brand });
  },
  'load-history': async (_, { platform, send }) =>
    send({ type: 'history', entries: await platform.history.list() }),
  'load-config': async (_, { platform, send }) => await loadConfig(platform, send),
  'enable-push': enablePush,
  'refresh-push': async (_, { platform, send }) =>
    send({ type: 'push-health', health: await platform.push.refresh() }),
  'replace-push': async (_, { platform, send }) =>
    send({ type: 'push-health', health: await platform.push.replace() }),
  'prompt-install': async (_, { platform }) => await platform.install.prompt(),
  'preview-enrolment': previewEnrolment,
  'begin-enrolment': beginEnrolment,
  'add-passkey': addPasskey,
  'complete-enrolment': completeEnrolment,
  'abandon-enrolment': async (_, { platform }) => await platform.enrolment.abandon(),
  persist: async (_, { platform }) => await platform.persist(),
  rename,
  remove,
  'forget-lost': async ({ deviceId }, { platform }) => await platform.accounts.forgetLost(deviceId),
  'apply-update': (_, { platform }) => platform.updates.apply(),
};

async function enablePush(_: Named<'enable-push'>, { platform, send }: Context): Promise<void> {
  try {
    send({ type: 'push-health', health: await platform.push.enable() });
  } catch {
    send({ type: 'push-health', health: { state: 'unreachable' } });
  }
}

async function previewEnrolment(
  { link }: Named<'preview-enrolment'>,
  { platform, send }: Context,
): Promise<void> {
  try {
    send({ type: 'previewed', link, preview: await platform.enrolment.preview(link) });
  } catch (error) {
    send({ type: 'preview-failed', link, failure: failureOf(error) });
  }
}

async function beginEnrolment(
  { link, name, preview }: Named<'begin-enrolment'>,
  { platform, send }: Context,
): Promise<void> {
  try {
    send({ type: 'begun', pending: await platform.enrolment.begin(link, name, preview) });
  } catch (error) {
    send({ type: 'enrol-failed', failure: failureOf(error) });
  }
}

async function fetchChallenges({ account }: Named<'fetch'>, { platform, send }: Context): Promise<void> {
  const { deviceId } = account;
  try {
    const device = platform.device(account);
    const challenges = await device.challenges();
    send({ type: 'fetched', deviceId, challenges, push: device.push });
  } catch (error) {
    send({ type: 'fetch-failed', deviceId, failure: failureOf(error) });
  }
}

async function verify(effect: Named<'verify'>, { platform, send }: Context): Promise<void> {
  const { account, challenge } = effect;
  const { challengeId } = challenge;
  try {
    send({
      type: 'verified',
      challengeId,
      result: await platform.passkeys.assert(account, challenge, 'confirm'),
    });
  } catch {
    send({ type: 'verified', challengeId, result: { outcome: 'cancelled' } });
  }
}

async function answer(effect: Named<'answer'>, { platform, send }: Context): Promise<void> {
  const { challengeId } = effect.challenge;
  try {
    const { status } = await platform.device(effect.account).answer(effect.challenge, effect.answer);
    send({ type: 'answered', challengeId, status });
  } catch (error) {
    send({ type: 'answer-failed', challengeId, failure: failureOf(error) });
  }
}

function navigate({ route, replace }: Named<'navigate'>): void {
  if (replace) location.replace(hashOf(route));
  else location.hash = hashOf(route);
}

export async function loadAccounts({ accounts }: Platform, send: Send): Promise<void> {
  const [list, lost] = await Promise.all([accounts.list(), accounts.lost()]);
  send({ type: 'accounts', accounts: list, lost });
}

export async function loadConfig(platform: Platform, send: Send): Promise<void> {
  try {
    send({ type: 'configured', ...(await platform.config()) });
  } catch {
    send({ type: 'unconfigured' });
  }
}

async function addPasskey(
  { pending }: Named<'add-passkey'>,
  { platform: { enrolment }, send }: Context,
): Promise<void> {
  try {
    const result = await enrolment.addPasskey(pending);
    send({ type: 'passkey-made', result, pending: await enrolment.pending() });
  } catch {
    send({ type: 'passkey-made', result: { outcome: 'unavailable' } });
  }
}

async function completeEnrolment(
  { pending }: Named<'complete-enrolment'>,
  { platform: { enrolment }, send }: Context,
): Promise<void> {
  try {
    send({ type: 'enrolled', account: await enrolment.complete(pending) });
  } catch (error) {
    send({ type: 'enrol-failed', failure: failureOf(error) });
  }
}

async function rename({ account, name }: Named<'rename'>, { platform, send }: Context): Promise<void> {
  const { deviceId } = account;
  try {
    await platform.device(account).rename(name);
    await platform.accounts.rename(deviceId, name);
    send({ type: 'renamed', deviceId });
  } catch {
    send({ type: 'rename-failed', deviceId });
  }
}

async function remove(effect: Named<'remove'>, { platform, send }: Context): Promise<void> {
  const { deviceId } = effect.account;
  try {
    if (!effect.onlyHere) await unregister(effect, platform);
    await platform.accounts.remove(deviceId);
    send({ type: 'removed', deviceId });
  } catch (error) {
    send({ type: 'removal-failed', deviceId, failure: failureOf(error) });
  }
}

/** An account without a passkey, or on a device that cannot ask it, tries without: the service knows whether it is needed. */
async function unregister({ account }: Named<'remove'>, platform: Platform): Promise<void> {
  await platform.device(account).unregister(async (challenge) => {
    const result = await platform.passkeys.assertRemoval(account, challenge);
    if (result.outcome === 'cancelled') throw new DeviceError('verification-cancelled');
    return result.outcome === 'verified' ? result.userVerification : undefined;
  });
}
