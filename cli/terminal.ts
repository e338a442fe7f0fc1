/** Where the commands speak and listen. */
export type Terminal = {
  /** Results, and nothing else: scripts read them. */
  out: (text: string) => void;
  /** Progress, questions and faults. */
  err: (text: string) => void;
  /** Missing where nobody is there to answer. */
  ask?: (question: string) => Promise<string>;
  /** Tells a command that wants to know of Ctrl-C, instead of ending it; the answer ends that. */
  onInterrupt?: (listener: () => void) => () => void;
  environment: NodeJS.ProcessEnv;
};
