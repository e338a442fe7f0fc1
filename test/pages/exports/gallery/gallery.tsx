import { render } from 'preact';
import { App } from '../../../../pages/exports/src/app.tsx';
import type { Actions } from '../../../../pages/exports/src/view.ts';
import { states } from './states.ts';

const nothing = (): void => undefined;
const later = async (): Promise<void> => await Promise.resolve();

const actions: Actions = {
  paste: later,
  signIn: later,
  signOut: nothing,
  copy: later,
  test: later,
  loadSamples: later,
  chooseSample: nothing,
  beginPause: nothing,
  leaveAsItIs: nothing,
  steer: later,
  editReplay: nothing,
  chooseReplayOf: nothing,
  replayEvent: later,
  startReplay: later,
  replayGivenUp: later,
  dismissGivenUp: later,
  chooseSpan: nothing,
  chooseHour: nothing,
  loadLedger: later,
  loadDeliveries: later,
  checkLog: later,
};

const root = document.getElementById('page');

/** Effects of the last render run before the next frame. */
const frame = async (): Promise<void> =>
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

Object.assign(globalThis, {
  gallery: {
    show: async (name: string): Promise<void> => {
      const state = states[name];
      if (!state || !root) throw new Error(`There is no state ${name}`);
      render(<App view={{ state, actions }} />, root);
      await frame();
    },
  },
});
