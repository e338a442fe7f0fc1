/** The licences of what a release ships. */
import type { Bom, Component } from './bom.ts';

/** Each allows use in closed products, and asks for no more than a notice. */
export const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
] as const;

const isAllowed = (licence: string): boolean => (allowedLicences as readonly string[]).includes(licence);

/** One component can have several licences: all of them must be allowed. Of an expression with OR, one must be. */
function licencesOf({ licenses = [] }: Component): string[] {
  return licenses.flatMap(({ license, expression }) => {
    if (expression !== undefined) {
      const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
      return choices.find((choice) => choice.split(' AND ').every(isAllowed))?.split(' AND ') ?? [expression];
    }
    return [license?.id ?? license?.name ?? ''];
  });
}

const nameOf = ({ group, name, version = '' }: Component): string =>
  `${group === undefined ? '' : `${group}/`}${name}@${version}`;

const allIn = (components: readonly Component[]): Component[] =>
  components.flatMap((component) => [component, ...allIn(component.components ?? [])]);

/** The components whose licence is missing, or is not in the list: one sentence for each. */
export function licenceFaults({ metadata, components = [] }: Bom): string[] {
  return allIn([metadata.component, ...components]).flatMap((component) => {
    const licences = licencesOf(component);
    if (licences.length === 0) return [`${nameOf(component)} names no licence.`];
    return licences
      .filter((licence) => !isAllowed(licence))
      .map((licence) => `${nameOf(component)} has the licence "${licence}", which is not in the list.`);
  });
}
