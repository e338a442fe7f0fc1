import type { Texts } from './en.ts';

/** Languages by their BCP 47 tag. */
export const languages = ['en', 'de', 'nl', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  nl: 'Nederlands',
  fr: 'Français',
  es: 'Español',
};

export const isLanguage = (text: unknown): text is Language =>
  languages.some((language) => language === text);

/**
 * The first of the preferred languages that the app speaks, or the first that it speaks.
 *
 * @param spoken those that the stage wants
 */
export function chooseLanguage(
  preferred: readonly string[],
  spoken: readonly Language[] = languages,
): Language {
  const primary = preferred.map((tag) => tag.toLowerCase().split('-')[0]);
  return primary.filter(isLanguage).find((language) => spoken.includes(language)) ?? spoken[0] ?? 'en';
}

/** Each language is a file of its own, so that the first load has one. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return (await import('./en.ts')).en;
    case 'de':
      return (await import('./de.ts')).de;
    case 'nl':
      return (await import('./nl.ts')).nl;
    case 'fr':
      return (await import('./fr.ts')).fr;
    case 'es':
      return (await import('./es.ts')).es;
  }
}
