/** The push services of the browsers: Chrome and others, Firefox, Safari, Edge on Windows. `*.` stands for any subdomain. */
export const browserPushServices: readonly string[] = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

/** Where subscriptions may be. Anything else could make the service call hosts that an attacker chose. */
export type PushServices = {
  hosts: readonly string[];
  /** The origin of the local stack's own push service, which has no TLS. */
  localOrigin?: string | undefined;
  /** The stage's VAPID public key, to which a browser binds a subscription. Only who takes subscriptions needs it. */
  applicationServerKey?: string | undefined;
};

const isHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length
    : host === pattern;

/** Whether the service may send pushes to this endpoint. */
export function isAllowedEndpoint(endpoint: string, { hosts, localOrigin }: PushServices): boolean {
  // Characters that URL parsers remove or replace, so that another program might see another host.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(endpoint)) return false;
  const url = URL.parse(endpoint);
  if (url?.username !== '' || url.password !== '') return false;
  if (localOrigin !== undefined && url.origin === localOrigin) return true;
  return url.protocol === 'https:' && url.port === '' && hosts.some((host) => isHost(url.hostname, host));
}
