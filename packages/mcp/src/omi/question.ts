/** A member of the details (RFC 9396). The phone shows every member, and the device signs them. */
export type Detail = { type: string; [member: string]: unknown };

export type Question = {
  userId: string;
  /** The sentence that the user reads first. */
  message: string;
  details: readonly Detail[];
};

/** A question that was asked. Whoever has the id and the client's credentials gets the token. */
export type Asked = { authReqId: string; intervalSeconds: number };

/** Who approved what, and when. Nothing of it is secret. */
export type Decision = {
  approvedBy: string;
  approvedAt: string;
  message: string;
  details: readonly Detail[];
  /** The id of the confirmation in the tenant's exported events. It redeems nothing. */
  reference: string;
};

export type Answer =
  | { status: 'approved'; decision: Decision; token: string }
  | { status: 'refused' | 'expired' | 'unavailable' | 'unknown'; explanation: string };

/** The service did not accept the question. The message is for the model. */
export class NotAsked extends Error {}
