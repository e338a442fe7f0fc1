import { without } from '#ui/without.ts';
import type { Message } from './messages.ts';
import { accountOf, type State } from './state.ts';
import type { Update } from './effects.ts';

type RenamingMessage = Extract<Message, { type: 'rename-chosen' | 'renamed' | 'rename-failed' }>;

/** Renames a device: first at the service, then here. */
export function updateRenaming(state: State, message: RenamingMessage): Update {
  const { deviceId } = message;
  if (message.type === 'renamed') return leave(state, deviceId);
  if (message.type === 'rename-failed') return [{ ...state, renaming: { deviceId, phase: 'failed' } }, []];
  const account = accountOf(state, deviceId);
  if (!account || state.renaming?.phase === 'working') return [state, []];
  return [
    { ...state, renaming: { deviceId, phase: 'working' } },
    [{ type: 'rename', account, name: message.name }],
  ];
}

function leave(state: State, deviceId: string): Update {
  const isHere = state.route.screen === 'rename' && state.route.deviceId === deviceId;
  return [
    without(state, 'renaming'),
    isHere ? [{ type: 'navigate', route: { screen: 'settings' }, replace: true }] : [],
  ];
}
