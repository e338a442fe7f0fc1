import type { Language } from '../../i18n/language.ts';
import { en } from './en.ts';
import type { EnrolmentTexts } from './texts.ts';

export const enrolmentTexts: Record<Language, EnrolmentTexts> = { en, de: en, nl: en, fr: en, es: en };
