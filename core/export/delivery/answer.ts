/** What a receiver answered that did not take events. */
export type Answer = {
  status: number;
  /** The begin of its body, at most 1 KB. */
  text: string;
};
