/** The command could not be carried out: exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** The way out, in words for people. */
  readonly way: string | undefined;

  constructor(message: string, way?: string, options?: ErrorOptions) {
    super(message, options);
    this.way = way;
  }
}

/** The command was given what it cannot take: exit code 2. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
}
