/** Reads a member of an answer. What has another type than expected is undefined. */
type Members = Record<string, unknown>;

export const membersOf = (value: unknown): Members => Object(value) as Members;

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
