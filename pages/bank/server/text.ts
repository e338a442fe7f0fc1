import { hasHidden } from '../../../core/kernel/hidden-characters.ts';
import { refusedField } from './problem.ts';

const visible = /[\p{L}\p{N}]/u;

type Expected = { field: string; what: string; most: number };

/** @throws {Problem} that names the field */
export function textOf(value: string | undefined, { field, what, most }: Expected): string {
  const text = value?.trim() ?? '';
  if (text === '') throw refusedField(field, `Enter ${what}.`);
  if (Array.from(text).length > most)
    throw refusedField(field, `Enter at most ${most} characters for ${what}.`);
  if (hasHidden(text) || !text.isWellFormed() || !visible.test(text))
    throw refusedField(field, `Enter ${what} in plain characters.`);
  return text;
}

/** @returns cents */
export function amountOf(value: string | undefined, field: string): number {
  const [, euros = '', cents = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(value?.trim() ?? '') ?? [];
  const amount = Number(euros) * 100 + Number(cents.padEnd(2, '0'));
  if (euros === '' || amount === 0) throw refusedField(field, 'Enter an amount in euros, such as 20.00.');
  return amount;
}

const formatter = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });

export const money = (cents: number): string => `${formatter.format(cents / 100)} €`;
