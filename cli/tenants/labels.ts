import { InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { visibleText } from '../../core/kernel/text.ts';
import { UsageError } from '../command-error.ts';

/** What an operator sorts tenants by, such as `tier=gold`. Only the commands read them. */
export type Labels = Record<string, string>;

const mostLabels = 10;
const labelKey = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/));
const labelValue = visibleText(64);
export const labels = v.record(labelKey, labelValue);

/** A label to set. Without a value it is one to remove. */
type Label = { key: string; value?: string };

const keyForm = 'a key of 1 to 32 characters (small letters, digits and "-", a letter first)';

const withLabel = (label: Label, before: readonly Label[] = []): Label[] => [
  ...before.filter(({ key }) => key !== label.key),
  label,
];

function parseLabel(text: string, before?: Label[]): Label[] {
  const [key = '', ...rest] = text.split('=');
  const value = rest.join('=');
  if (!v.is(labelKey, key) || !v.is(labelValue, value))
    throw new InvalidArgumentError(
      `Expected ${keyForm}, "=", and a value of 1 to 64 visible characters, for example tier=gold.`,
    );
  return withLabel({ key, value }, before);
}

function parseRemoved(key: string, before?: Label[]): Label[] {
  if (v.is(labelKey, key)) return withLabel({ key }, before);
  throw new InvalidArgumentError(`Expected ${keyForm}, for example tier.`);
}

export type LabelOptions = { label?: Label[] };

export const labelOption = (description = 'labels to sort tenants by'): Option =>
  new Option('--label <key=value...>', description).argParser(parseLabel);

/** Writes into the same list as its opposite: of a key that is in both, the last one counts. */
export const noLabelOption = (): Option =>
  new Option('--no-label <key>', 'a label to remove; the option can be repeated').argParser(parseRemoved);

export const labelFilter = (): Option => labelOption('only tenants with all of these labels');

/** @throws {UsageError} if they would be too many */
export function applyLabels(before: Labels, { label = [] }: LabelOptions): Labels {
  const after = new Map(Object.entries(before));
  for (const { key, value } of label)
    if (value === undefined) after.delete(key);
    else after.set(key, value);
  if (after.size <= mostLabels) return Object.fromEntries(after);
  throw new UsageError(
    `--label: a tenant has at most ${mostLabels} labels, and this one would have ${after.size}. Remove some with --no-label.`,
  );
}

export const hasLabels = (has: Labels | undefined, { label = [] }: LabelOptions): boolean =>
  label.every(({ key, value }) => has?.[key] === value);

/** @throws {UsageError} for a key that none of the tenants has, which is most likely misspelt */
export function requireKnownKeys(
  { label = [] }: LabelOptions,
  tenants: Iterable<{ labels?: Labels | undefined }>,
): void {
  const known = new Set(Array.from(tenants).flatMap(({ labels: its = {} }) => Object.keys(its)));
  const unknown = label.find(({ key }) => !known.has(key));
  if (!unknown) return;
  const used = known.size === 0 ? 'They have no labels.' : `Their keys: ${[...known].toSorted().join(', ')}.`;
  throw new UsageError(`--label: none of these tenants has the key "${unknown.key}". ${used}`);
}

export const labelsText = (its: Labels | undefined): string =>
  Object.entries(its ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
