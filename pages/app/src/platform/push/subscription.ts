import { base64url } from '#device';

/** Tells whether two subscriptions are the same: endpoint and keys, in one text. */
export function subscriptionId({ endpoint, keys }: PushSubscriptionJSON): string {
  return [endpoint, keys?.['p256dh'], keys?.['auth']].join(' ');
}

/** A browser without a network, or without its push service, waits forever. */
const timeoutMs = 20_000;

/**
 * The subscription for this key of the service. One for another key is replaced.
 *
 * @param isDead the push service no longer knows what this browser takes for its subscription
 */
export async function subscribe(
  manager: PushManager,
  applicationServerKey: string,
  isDead: boolean,
): Promise<PushSubscription> {
  const existing = await manager.getSubscription();
  if (existing && !isDead && hasKey(existing, applicationServerKey)) return existing;
  await existing?.unsubscribe();
  return await withTimeout(manager.subscribe({ userVisibleOnly: true, applicationServerKey }));
}

function hasKey({ options }: PushSubscription, applicationServerKey: string): boolean {
  const { applicationServerKey: key } = options;
  return key !== null && base64url(new Uint8Array(key)) === applicationServerKey.replaceAll('=', '');
}

async function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The push service does not answer')), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
