import type { Controller } from './state/controller.ts';
import type { State } from './state/state.ts';

/** What people can do on the page. */
export type Actions = Pick<
  Controller,
  | 'signIn'
  | 'signOut'
  | 'find'
  | 'showMore'
  | 'ask'
  | 'leaveAsItIs'
  | 'act'
  | 'removeDevice'
  | 'allowRecovery'
  | 'check'
  | 'compare'
  | 'listExports'
  | 'steer'
  | 'test'
  | 'replay'
  | 'showTenant'
>;

/** What every screen gets. Screens are pure: the same view renders the same. */
export type View = { readonly state: State; readonly actions: Actions };
