/** What a record of a target may have. A larger single event goes alone. */
export type RecordLimits = { events: number; bytes: number };

/** What the rest of the export has to know of a kind of target. */
export type KindProperties = {
  /** Ends each packed record. JSON lines need a line break; elsewhere a record stands alone. */
  lineEnd: '' | '\n';
  /** Below what a record can hold. */
  limits?: RecordLimits;
  /** Consumers get the events of an aggregate in order. */
  isOrdered: boolean;
  /**
   * A Firehose stream of the service stands before the destination. The service makes it before the first event, and it holds
   * events for a while after it has confirmed them.
   */
  isBuffered: boolean;
  /** The tenant verifies calls with a secret of the target. */
  isSigned: boolean;
};
