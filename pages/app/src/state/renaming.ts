import { without } from '#ui/without.ts';
import type { Message } from './messages.ts';
import { accountOf, type State } from './state.ts';
import type { Update } from './effects.ts';

type RenamingMessage = Extract<
  Message,
  { type: 'rename-typed' | 'rename-chosen' | 'renamed' | 'rename-failed' }
>;

/** Renames a device: first at the service, then here. */
export function updateRenaming(state: State, message: RenamingMessage): Update {
  const { deviceId } = message;
  if (message.type === 'renamed') return leave(state, deviceId);
  if (message.type === 'rename-failed') {
    const typed = state.renaming?.typed ?? '';
    return [{ ...state, renaming: { deviceId, phase: 'failed', typed } }, []];
  }
  const account = accountOf(state, deviceId);
  if (!account || state.renaming?.phase === 'working') return [state, []];
  if (message.type === 'rename-typed')
    return [{ ...state, renaming: { deviceId, phase: 'typing', typed: message.text } }, []];
  return [
    { ...state, renaming: { deviceId, phase: 'working', typed: message.name } },
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
