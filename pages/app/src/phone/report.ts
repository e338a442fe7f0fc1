import type { EndedChallenge, State } from '../state/state.ts';

export type WaitingRequest = { readonly challengeId: string; readonly message: string };

/** What a phone tells the page around it. */
export type PhoneReport = {
  /** The name of the device, once it is set up. */
  readonly name?: string;
  /** The next to expire first. */
  readonly waiting: readonly WaitingRequest[];
  /** What the user can see of them: one, each in the list, or none. */
  readonly shows: 'list' | 'none' | { readonly challengeId: string };
  /** How the latest one ended. */
  readonly ended?: { readonly challengeId: string; readonly outcome: EndedChallenge['outcome'] };
};

export function reportOf({ accounts, challenges, ended, route }: State): PhoneReport {
  const [account] = accounts;
  const latest = Object.values(ended).at(-1);
  return {
    ...(account && { name: account.name }),
    waiting: challenges.map(({ challenge: { challengeId, message } }) => ({ challengeId, message })),
    shows: showsOf(route),
    ...(latest && { ended: { challengeId: latest.challenge.challengeId, outcome: latest.outcome } }),
  };
}

function showsOf(route: State['route']): PhoneReport['shows'] {
  if (route.screen === 'challenge') return { challengeId: route.challengeId };
  return route.screen === 'home' ? 'list' : 'none';
}

/** What the page around a phone tells it. */
export type PhoneOrder =
  /** The website shows the code of this link; without it, none any more. */
  | { readonly type: 'code'; readonly link?: string | undefined }
  /** As a push would: something waits. */
  | { readonly type: 'pushed' }
  /** The user tapped the notification. */
  | { readonly type: 'opened'; readonly challengeId: string };
