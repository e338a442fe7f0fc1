/** Languages by their BCP 47 tag. */
export const languages = ['en', 'de', 'nl', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** The language of a tag such as `de-AT`, or English. */
export function languageOf(tag: string): Language {
  const primary = tag.toLowerCase().split('-')[0];
  return languages.find((language) => language === primary) ?? 'en';
}
