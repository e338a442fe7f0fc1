import { sha256 } from '../kernel/identifiers.ts';
import type { Requester, UserVerificationMode } from '../tenants/tenant.ts';

/** A change of the user's devices that a confirmation can authorize. */
export const purposes = ['add-device', 'remove-device'] as const;
export type Purpose = (typeof purposes)[number];

/** Where the user's request to the website came from, as the website says. At least one member. */
export type RequestOrigin = {
  browser?: string | undefined;
  place?: string | undefined;
  ip?: string | undefined;
};

/** What a device shows of a confirmation besides message and details. */
export type Context = {
  /** Absent in the callback by which a receiver is tested. */
  requester?: Requester | undefined;
  purpose?: Purpose | undefined;
  /** The device that the confirmation removes. */
  device?: { deviceId: string; name: string } | undefined;
  /** The tenant's setting when the website asked. */
  userVerification: UserVerificationMode;
  requestedFrom?: RequestOrigin | undefined;
  /** Only a vote has it: how many of how many members must confirm. */
  group?: { id: string; required: number; of: number } | undefined;
};

/**
 * The text that the service writes once and the device signs by its hash. Nobody can change later what the user saw: who
 * asked, for what, and from where.
 */
const contextText = ({
  requester,
  purpose,
  device,
  userVerification,
  requestedFrom,
  group,
}: Context): string =>
  // The order of the members is fixed, so that the same context always has the same text.
  JSON.stringify({
    requester: requester && { tenant: requester.tenant, client: requester.client },
    purpose,
    device: device && { deviceId: device.deviceId, name: device.name },
    userVerification,
    requestedFrom: requestedFrom && originOf(requestedFrom),
    group: group && { id: group.id, required: group.required, of: group.of },
  });

const originOf = ({ browser, place, ip }: RequestOrigin): RequestOrigin => ({ browser, place, ip });

/** The text and its hash. */
export function writeContext(context: Context): { context: string; contextHash: string } {
  const text = contextText(context);
  return { context: text, contextHash: sha256(text) };
}

/** @param text made by {@link writeContext} */
export const readContext = (text: string): Context => JSON.parse(text) as Context;

export const isSameOrigin = (a: RequestOrigin | undefined, b: RequestOrigin | undefined): boolean =>
  a?.browser === b?.browser && a?.place === b?.place && a?.ip === b?.ip;
