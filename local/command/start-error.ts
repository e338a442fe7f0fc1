/** The stack cannot start, and whoever starts it can do something about it: the message says what, in one line. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
