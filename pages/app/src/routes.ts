/** The screens that have an address. The part after `#` never reaches a server. */
export type Route =
  | { readonly screen: 'home' }
  | { readonly screen: 'challenge'; readonly challengeId: string }
  | { readonly screen: 'history' }
  | { readonly screen: 'settings' }
  | { readonly screen: 'rename' | 'remove'; readonly deviceId: string }
  | { readonly screen: 'enrol' };

/** The route of a location's hash. Anything unknown leads home. */
export function routeOf(hash: string): Route {
  const [, first = '', second] = hash.split('/');
  if (first === 'challenge' && second) return { screen: 'challenge', challengeId: decode(second) };
  if ((first === 'rename' || first === 'remove') && second)
    return { screen: first, deviceId: decode(second) };
  if (first === 'history' || first === 'settings' || first === 'enrol') return { screen: first };
  return { screen: 'home' };
}

export function hashOf(route: Route): string {
  if (route.screen === 'home') return '#/';
  if (route.screen === 'challenge') return `#/challenge/${encodeURIComponent(route.challengeId)}`;
  if (route.screen === 'rename' || route.screen === 'remove')
    return `#/${route.screen}/${encodeURIComponent(route.deviceId)}`;
  return `#/${route.screen}`;
}

/** True for the address of an enrolment link: its hash holds the one-time code. */
export const isEnrolmentLink = ({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): boolean =>
  pathname === '/enrol' || /^#(v|api|code)=/.test(hash);

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
