/** What a kind of target is called, for tenants. It is also in the page of exports, so it imports nothing. */
export type TargetWords = {
  title: string;
  /** The member of a destination that tells it from others. */
  name: string;
  /** The members that tenants see, in this order, and what they are called. The others are the operator's. */
  parts: Readonly<Record<string, string>>;
  /** Consumers get the events of an aggregate in order. */
  isOrdered: boolean;
};
