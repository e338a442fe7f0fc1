import { InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { visibleText } from '../../core/kernel/text.ts';
import { UsageError } from '../command-error.ts';

/** What an operator sorts tenants by, such as `tier=gold`. Only the commands read them. */
export type Labels = Record<string, string>;

const mostLabels = 20;
const name = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,62}$/));
export const labels = v.record(name, visibleText(64));

type Label = { name: string; value: string };

const expected =
  'Expected a label like tier=gold: a name of small letters, digits, ".", "_" and "-", and a value of 1 to 64 characters.';

/** @param mayRemove whether the value may be empty */
const parseLabel =
  (mayRemove: boolean) =>
  (text: string, before: Label[] = []): Label[] => {
    const at = text.indexOf('=');
    const [key, value] = [text.slice(0, at), text.slice(at + 1)];
    const isValue = v.is(visibleText(64), value) || (mayRemove && value === '');
    if (at < 1 || !v.is(name, key) || !isValue) throw new InvalidArgumentError(expected);
    return [...before.filter((one) => one.name !== key), { name: key, value }];
  };

export type LabelOptions = { label?: Label[] };

export const labelOption = (): Option =>
  new Option('--label <name=value...>', 'labels to sort tenants by; an empty value removes one').argParser(
    parseLabel(true),
  );

export const labelFilter = (): Option =>
  new Option('--label <name=value...>', 'only tenants with all of these labels').argParser(parseLabel(false));

/** @throws {UsageError} if they would be too many */
export function applyLabels(before: Labels, { label = [] }: LabelOptions): Labels {
  const changed = Object.fromEntries(label.map((one) => [one.name, one.value]));
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter(([, value]) => value !== ''),
  );
  if (Object.keys(after).length <= mostLabels) return after;
  throw new UsageError(`--label: a tenant has at most ${mostLabels} labels.`);
}

export const hasLabels = (has: Labels | undefined, { label = [] }: LabelOptions): boolean =>
  label.every(({ name: key, value }) => has?.[key] === value);

export const labelsText = (its: Labels | undefined): string =>
  Object.entries(its ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
