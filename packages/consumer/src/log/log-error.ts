/** What is wrong with a log, or with a copy of its events. */
export type LogFault =
  /** An event of the copy has other bytes than those that the service accepted. */
  | 'edited'
  /** The copy lacks an event. */
  | 'removed'
  /** The service never accepted an event of the copy. */
  | 'added'
  /** The log is shorter than a checkpoint says. */
  | 'rolled-back'
  /** A checkpoint is of another history than the log. */
  | 'split-view'
  /** The minutes are not those of the checkpoint, or the events not those of their minute. */
  | 'wrong-root'
  | 'malformed-checkpoint'
  | 'other-log'
  | 'wrong-signature';

/** A fault, and where it is. */
export type LogFinding = { fault: LogFault; detail: string; eventId?: string; minute?: string };

/** A log that cannot be verified. */
export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogFault;

  constructor(code: LogFault, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}
