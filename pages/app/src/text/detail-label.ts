import type { DetailLabels } from '#device';
import type { DetailsNode } from './details-tree.ts';

/** What the tenant calls the members of the details of one `type`. */
export type Labels = DetailLabels[string];

/** Labels for one object of the details, by its `type`. */
export function labelsFor(node: DetailsNode, labels: DetailLabels = {}): Labels | undefined {
  if (node.kind !== 'object') return undefined;
  const [, type] = node.members.find(([name]) => name === 'type') ?? [];
  return type?.kind === 'text' && Object.hasOwn(labels, type.text) ? labels[type.text] : undefined;
}

/**
 * The tenant's label of a member, in the user's language or one for everybody.
 *
 * @param path names with dots, such as `creditorAccount.iban`
 * @returns undefined: the member is shown by its name
 */
export function labelOf(labels: Labels | undefined, path: string, language: string): string | undefined {
  if (!labels || !Object.hasOwn(labels, path)) return undefined;
  const label = labels[path];
  if (label === undefined || typeof label === 'string') return label;
  return label[language] ?? label['en'];
}
