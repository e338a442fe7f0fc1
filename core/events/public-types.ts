import { ownPublicTypes } from './own-events.ts';
import * as schemas from './payloads.ts';
import type { Category } from './target-ref.ts';

const recorded = Object.values(schemas).map(({ $id }) => $id.split(':').at(-2) ?? '');

/** Every type of public events. */
export const publicTypes: readonly string[] = [...new Set([...recorded, ...ownPublicTypes])].sort();

/** Public events have published types. A log event may have any. */
export const isKnownType = (category: Category, type: string): boolean =>
  category === 'log' || publicTypes.includes(type);
