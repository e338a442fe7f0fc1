import { render } from 'preact';
import { App } from '../../../../pages/app/src/app.tsx';
import { loadTexts, type Language } from '../../../../pages/app/src/i18n/texts.ts';
import { states } from './states.ts';

const services = {
  deviceName: 'iPhone, Safari',
  chosenLanguage: () => undefined,
  scan: async () => await new Promise<void>(() => undefined),
  copy: async () => await Promise.resolve(),
  chooseLanguage: () => undefined,
};

/** Shows one state of the app, without a browser's storage or a service behind it. */
async function show(name: string, language: Language): Promise<void> {
  const texts = await loadTexts(language);
  const state = states[name];
  const root = document.getElementById('app');
  if (!state || !root) throw new Error(`There is no state ${name}`);
  document.documentElement.lang = language;
  render(null, root);
  render(<App view={{ state, texts, language, send: () => undefined, services }} />, root);
}

Object.assign(globalThis, { gallery: { show, names: Object.keys(states) } });
