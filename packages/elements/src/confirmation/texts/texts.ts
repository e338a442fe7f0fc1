import type { en } from './en.ts';

/** All sentences of the element. A pair is a title and what it means. */
export type ConfirmationTexts = {
  readonly [Name in keyof typeof en]: (typeof en)[Name] extends string ? string : readonly [string, string];
};
