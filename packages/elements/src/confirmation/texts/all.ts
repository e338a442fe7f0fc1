import type { Language } from '../../i18n/language.ts';
import { en } from './en.ts';
import type { ConfirmationTexts } from './texts.ts';

export const confirmationTexts: Record<Language, ConfirmationTexts> = { en, de: en, nl: en, fr: en, es: en };
