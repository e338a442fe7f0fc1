/** A program cannot start for a reason that the user can remove. The message says how, in one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
