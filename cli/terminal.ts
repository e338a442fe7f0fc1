/** Where the commands speak and listen. */
export type Terminal = {
  /** Results, and nothing else: scripts read them. */
  out: (text: string) => void;
  /** Progress, questions and faults. */
  err: (text: string) => void;
  /** Missing where nobody is there to answer. */
  ask?: (question: string) => Promise<string>;
  environment: NodeJS.ProcessEnv;
};
