import { isLanguage, type Language } from './texts.ts';

const KEY = 'language';

/** The user's choice; undefined: the browser's language. A browser without storage forgets it. */
export function chosenLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function keepLanguage(language: Language | undefined): void {
  try {
    if (language) localStorage.setItem(KEY, language);
    else localStorage.removeItem(KEY);
  } catch {
    // The choice counts until the page is closed.
  }
}
