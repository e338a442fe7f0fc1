/**
 * Reads lines as Athena's OpenX JSON SerDe, by its documentation: https://docs.aws.amazon.com/athena/latest/ug/openx-json-serde.html
 */
import { parseUnambiguous } from '../../../core/kernel/strict-json.ts';

export type SerdeProperties = Readonly<Record<string, string>>;

const deepest = 64;

/** Each name once, or the query fails. Which names are one depends on `case.insensitive`, which is true by default. */
function checkNames(names: readonly string[], ignoresCase: boolean): void {
  const seen = new Set<string>();
  for (const name of names) {
    const key = ignoresCase ? name.toLowerCase() : name;
    if (seen.has(key))
      throw new Error(
        `HIVE_CURSOR_ERROR: Row is not a valid JSON Object - JSONException: Duplicate key "${key}"`,
      );
    seen.add(key);
  }
}

/** The values of a line by the names of columns and fields. These are in lower case, as Hive has no others. */
export function readLine(line: string, properties: SerdeProperties): unknown {
  const ignoresCase = (properties['case.insensitive'] ?? 'TRUE').toUpperCase() === 'TRUE';
  const fields = new Map<string, string>();
  const mapped = new Set<string>();
  for (const [property, name] of Object.entries(properties)) {
    const [, field] = /^mapping\.(.*)$/.exec(property) ?? [];
    if (field === undefined) continue;
    fields.set(name, field);
    mapped.add(field);
  }
  /** Undefined where no field can have the name. A field with a mapping takes no other name than that. */
  const fieldOf = (name: string): string | undefined => {
    const read = ignoresCase ? name.toLowerCase() : name;
    return fields.get(read) ?? (mapped.has(read) || read !== read.toLowerCase() ? undefined : read);
  };
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (typeof value !== 'object' || value === null) return value;
    checkNames(Object.keys(value), ignoresCase);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const field = fieldOf(name);
        return field === undefined ? [] : [[field, read(inner)]];
      }),
    );
  };
  return read(parseUnambiguous(line, deepest));
}
