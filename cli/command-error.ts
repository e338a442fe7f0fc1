/** The command could not be carried out: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** What the operator can do. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** The command was given what it cannot take: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
