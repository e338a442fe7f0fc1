/** What a valid token allows at a route: it has a caller, for the endpoint's Lambda, or a reason why it has none. */
export type Decision<Caller> = {
  caller?: Caller;
  /** For the log: who it is and, without a caller, the reason. */
  logged: Readonly<Record<string, unknown>>;
};
