import type { Route } from '../routes.ts';
import type { State } from './state.ts';

/** The service has said of each account what waits. */
export const knowsWhatWaits = ({ phase, contacts }: State): boolean =>
  phase === 'ready' && Object.values(contacts).every((contact) => contact.state !== 'unknown');

/** Whoever opens the app while one request waits came for it. From any other screen nobody is taken away. */
export function onlyRequest({ route, challenges }: State): Route | undefined {
  const [only, ...others] = challenges;
  if (!only || others.length > 0 || route.screen !== 'home') return undefined;
  return { screen: 'challenge', challengeId: only.challenge.challengeId };
}
