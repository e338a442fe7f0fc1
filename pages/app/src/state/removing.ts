import { without } from '#ui/without.ts';
import { isRemoval } from './contacts.ts';
import { keepChallenges } from './keep-challenges.ts';
import type { Message } from './messages.ts';
import { accountOf, type State } from './state.ts';
import type { Update } from './effects.ts';

type RemovingMessage = Extract<
  Message,
  { type: 'removal-chosen' | 'removed' | 'removal-failed' | 'lost-read' }
>;

/** Removes a device: first at the service, then here. */
export function updateRemoving(state: State, message: RemovingMessage): Update {
  const { deviceId } = message;
  const account = accountOf(state, deviceId);
  if (message.type === 'lost-read') return forget(state, deviceId);
  if (message.type === 'removed') return leave(state, deviceId);
  if (!account) return [state, []];
  if (message.type === 'removal-chosen') {
    if (state.removal?.phase === 'working') return [state, []];
    const removal = { deviceId, phase: 'working' } as const;
    return [{ ...state, removal }, [{ type: 'remove', account, onlyHere: message.onlyHere }]];
  }
  // The service does not know the device: what is left is the account here.
  if (isRemoval(message.failure.code)) return [state, [{ type: 'remove', account, onlyHere: true }]];
  return [{ ...state, removal: { deviceId, phase: 'failed', code: message.failure.code } }, []];
}

function leave(state: State, deviceId: string): Update {
  const accounts = state.accounts.filter((account) => account.deviceId !== deviceId);
  const kept = keepChallenges(state, (open) => open.deviceId !== deviceId);
  const isHere = state.route.screen === 'remove' && state.route.deviceId === deviceId;
  return [
    { ...without(kept, 'removal'), accounts },
    [
      { type: 'load-accounts' },
      ...(isHere ? [{ type: 'navigate', route: { screen: 'settings' }, replace: true } as const] : []),
    ],
  ];
}

const forget = (state: State, deviceId: string): Update => [
  { ...state, lost: state.lost.filter((account) => account.deviceId !== deviceId) },
  [{ type: 'forget-lost', deviceId }],
];
