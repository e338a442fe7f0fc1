import { isLanguage, type Language } from './texts.ts';

const storageKey = 'language';

/** The user's choice; undefined: the browser's language. A browser without storage forgets it. */
export function chosenLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function keepLanguage(language: Language | undefined): void {
  try {
    if (language) localStorage.setItem(storageKey, language);
    else localStorage.removeItem(storageKey);
  } catch {
    // The choice counts until the page is closed.
  }
}
