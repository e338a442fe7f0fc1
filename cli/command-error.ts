/** The command could not do its work: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What the operator can do. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
