import { codePointName, replaceHidden } from '../../../core/kernel/hidden-characters.ts';

/** The text with a visible mark in place of each character that the service would have refused, such as `[U+202E]`. */
export const visibleText = (text: string): string =>
  replaceHidden(text, (character) => `[${codePointName(character)}]`);
