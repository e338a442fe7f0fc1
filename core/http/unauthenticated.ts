import { isObject } from '../kernel/json.ts';

/** What the authorizer hands on in place of a caller where the endpoint's Lambda answers 401 itself. */
export type UnauthenticatedCaller = { unauthenticated: true };

export const isUnauthenticated = (caller: unknown): caller is UnauthenticatedCaller =>
  isObject(caller) && caller['unauthenticated'] === true;
