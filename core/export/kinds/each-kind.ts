import { kinds, type Kind } from './records.ts';

export const eachKind = <Made>(make: (kind: Kind) => Made): Record<Kind, Made> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, Made>;
