/** A concurrent write changed the same items, or a table was throttled. A retry may succeed at once. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
