import { isAppleMobile, isInstalled } from '../install.ts';
import type { PushPermission } from '../platform.ts';

export function pushPermission(): PushPermission {
  if (isAppleMobile() && !isInstalled()) return 'needs-install';
  if (!('Notification' in globalThis && 'PushManager' in globalThis && 'serviceWorker' in navigator))
    return 'unsupported';
  const { permission } = Notification;
  return permission === 'default' ? 'prompt' : permission;
}
