/** A device did what the protocol forbids, or did not do what it asks. The message says what was expected, and what came. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The device cannot do what a check is about. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** @throws {Failure} with this text, unless the condition holds */
export function must(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Failure(text);
}

/** Two values as JSON: the order of members counts, as the suite makes both in the same order. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [textOf(actual), textOf(expected)];
  must(found === wanted, `${what}: expected ${wanted}, got ${found}`);
}

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
