/** Two calls met on the same records, or a table was too busy; the same call may succeed at once. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}
