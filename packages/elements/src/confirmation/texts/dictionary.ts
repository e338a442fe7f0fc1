import { Dictionary } from '../../i18n/dictionary.ts';
import { en } from './en.ts';
import type { ConfirmationTexts } from './texts.ts';

export const dictionary = new Dictionary<ConfirmationTexts>(en, async (language) => {
  switch (language) {
    case 'de':
      return (await import('./de.ts')).de;
    case 'nl':
      return (await import('./nl.ts')).nl;
    case 'fr':
      return (await import('./fr.ts')).fr;
    case 'es':
      return (await import('./es.ts')).es;
    case 'en':
      return en;
  }
});
