import type { Controller } from './state/controller.ts';
import type { State } from './state/state.ts';

/** What people can do on the page. */
export type Actions = Pick<
  Controller,
  | 'paste'
  | 'signIn'
  | 'signOut'
  | 'copy'
  | 'test'
  | 'loadSamples'
  | 'chooseSample'
  | 'beginPause'
  | 'leaveAsItIs'
  | 'steer'
  | 'editReplay'
  | 'chooseReplayOf'
  | 'replayEvent'
  | 'startReplay'
  | 'replayGivenUp'
  | 'dismissGivenUp'
  | 'chooseSpan'
  | 'chooseHour'
  | 'loadLedger'
  | 'loadDeliveries'
  | 'checkLog'
>;

/** What every screen gets. Screens are pure: the same view renders the same. */
export type View = { readonly state: State; readonly actions: Actions };
