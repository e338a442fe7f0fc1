/** Reads answers member by member, so that a hostile or broken one never goes further than here. */
import type { AccountNames, Challenge, ChallengeContext, UserVerificationMode } from './challenge.ts';
import { DeviceError } from './device-error.ts';
import { localHosts } from './enrolment-link.ts';
import type { DeviceIdentity } from './messages.ts';

type Members = Record<string, unknown>;

const unexpected = (): DeviceError => new DeviceError('unexpected-answer');

function members(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected();
  // Without a prototype, nothing is a member but what the answer has.
  return Object.assign(Object.create(null) as Members, value);
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw unexpected();
  return value;
}

function identifier(value: unknown): string {
  if (text(value) === '') throw unexpected();
  return text(value);
}

/** An id that stays one segment of a URL's path. */
function pathSegment(value: unknown): string {
  if (!/^[\w-]{1,128}$/.test(text(value))) throw unexpected();
  return text(value);
}

/** A number for matching: its digits are shown on a button. */
function digits(value: unknown): string {
  if (!/^\d{1,8}$/.test(text(value))) throw unexpected();
  return text(value);
}

function quantity(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unexpected();
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw unexpected();
  return value;
}

function list<T>(value: unknown, item: (value: unknown) => T): T[] {
  if (!Array.isArray(value)) throw unexpected();
  return value.map(item);
}

/** The member, if the answer has it. */
function optional<Name extends string, T>(
  from: Members,
  name: Name,
  read: (value: unknown) => T,
): Partial<Record<Name, T>> {
  const value = from[name];
  return value === undefined ? {} : ({ [name]: read(value) } as Partial<Record<Name, T>>);
}

function mode(value: unknown): 'off' | 'preferred' | 'required' {
  if (value === 'off' || value === 'preferred' || value === 'required') return value;
  throw unexpected();
}

function requester(value: unknown): { tenant: string; client?: string } {
  const from = members(value);
  return { tenant: text(from['tenant']), ...optional(from, 'client', text) };
}

function subject(value: unknown): { deviceId: string; name: string } {
  const { deviceId, name } = members(value);
  return { deviceId: identifier(deviceId), name: text(name) };
}

function origin(value: unknown): { browser?: string; place?: string; ip?: string } {
  const from = members(value);
  return {
    ...optional(from, 'browser', text),
    ...optional(from, 'place', text),
    ...optional(from, 'ip', text),
  };
}

function group(value: unknown): { id: string; required: number; of: number } {
  const { id, required, of } = members(value);
  return { id: identifier(id), required: quantity(required), of: quantity(of) };
}

/**
 * Reads what an app shows beside message and details.
 *
 * @param context the text of a challenge's `context`
 * @throws {DeviceError} `unexpected-answer`
 */
export function readContext(context: string): ChallengeContext {
  const from = members(parse(context));
  return {
    userVerification: mode(from['userVerification']),
    ...optional(from, 'requester', requester),
    ...optional(from, 'purpose', text),
    ...optional(from, 'device', subject),
    ...optional(from, 'requestedFrom', origin),
    ...optional(from, 'group', group),
  };
}

/** The text, if an app can read it. */
function contextOf(value: unknown): string {
  readContext(text(value));
  return text(value);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw unexpected();
  }
}

function names(from: Members): AccountNames {
  return { tenant: identifier(from['tenant']), ...optional(from, 'account', identifier) };
}

/** Nothing else may become a link. A website on the developer's machine has no certificate. */
function webAddress(value: unknown): string {
  const address = text(value);
  // Without slashes and a host, a browser takes it for a link to the page's own host.
  if (!/^https?:\/\/[^/?#\\]/.test(address) || !URL.canParse(address)) throw unexpected();
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || (protocol === 'http:' && localHosts.includes(hostname))) return address;
  throw unexpected();
}

function votes(value: unknown): { confirmed: number; confirmedBy: string[] } {
  const { confirmed, confirmedBy } = members(value);
  return { confirmed: quantity(confirmed), confirmedBy: list(confirmedBy, text) };
}

function challenge(value: unknown): Challenge {
  const from = members(value);
  return {
    ...names(from),
    challengeId: pathSegment(from['challengeId']),
    message: text(from['message']),
    messageHash: identifier(from['messageHash']),
    createdAt: text(from['createdAt']),
    expiresAt: text(from['expiresAt']),
    expiresInMs: quantity(from['expiresInMs']),
    context: contextOf(from['context']),
    contextHash: identifier(from['contextHash']),
    ...optional(from, 'matchNumbers', (numbers) => list(numbers, digits)),
    ...optional(from, 'typedNumber', flag),
    ...optional(from, 'details', text),
    ...optional(from, 'votes', votes),
    ...optional(from, 'returnTo', webAddress),
    ...optional(from, 'detailsHash', text),
  };
}

/** What can be read of a list. One bad item does not hide the others; a list of which none can be read is not the service's. */
function readable<T>(value: unknown, item: (value: unknown) => T): T[] {
  const items = list(value, (one) => one);
  const read = items.flatMap((one) => {
    try {
      return [item(one)];
    } catch {
      return [];
    }
  });
  if (read.length === 0 && items.length > 0) throw unexpected();
  return read;
}

/** `unreachable`: pushes do not arrive until the device sends another token or subscription. */
export type PushState = 'on' | 'unreachable';

export type ChallengeList = { challenges: Challenge[]; push: PushState };

export function readChallengeList(body: unknown): ChallengeList {
  const { challenges, push } = members(body);
  return {
    challenges: readable(challenges, challenge),
    push: push === 'unreachable' ? 'unreachable' : 'on',
  };
}

export const readStatus = (body: unknown): { status: string } => ({ status: text(members(body)['status']) });

export function readEnrolled(body: unknown): Omit<DeviceIdentity, 'baseUrl'> {
  const from = members(body);
  return {
    deviceId: identifier(from['deviceId']),
    tenantId: identifier(from['tenantId']),
    userId: identifier(from['userId']),
    ...names(from),
  };
}

function hexColor(value: unknown): string {
  if (!/^#[0-9a-f]{6}$/.test(text(value))) throw unexpected();
  return text(value);
}

const eachOf = <T>(value: unknown, read: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members(value)).map(([name, member]) => [name, read(member)]));

const labels = (value: unknown): DetailLabels =>
  eachOf(value, (ofType) =>
    eachOf(ofType, (label) => (typeof label === 'string' ? label : eachOf(label, text))),
  );

export function readBrand(body: unknown): Brand {
  const from = members(body);
  return {
    name: identifier(from['name']),
    ...optional(from, 'color', hexColor),
    ...optional(from, 'logoUrl', webAddress),
    ...optional(from, 'supportUrl', webAddress),
    ...optional(from, 'detailLabels', labels),
  };
}

export function readPreview(body: unknown): EnrolmentPreview {
  const from = members(body);
  return {
    ...names(from),
    ...optional(from, 'brand', readBrand),
    expiresAt: text(from['expiresAt']),
    userVerification: mode(from['userVerification']),
  };
}

export function readSettings(body: unknown): DeviceSettings {
  const { webPush, rpId, origins } = members(body);
  return {
    webPush: { applicationServerKey: identifier(members(webPush)['applicationServerKey']) },
    rpId: identifier(rpId),
    origins: list(origins, identifier),
  };
}

export const readNothing = (): void => undefined;

/** The valid members of a problem document (RFC 9457). */
export type Problem = { code?: string; detail?: string; serverTime?: string };

const longestDetail = 500;

export function readProblem(body: unknown): Problem {
  if (typeof body !== 'object' || body === null) return {};
  const { code, detail, serverTime } = members(body);
  return {
    ...(typeof code === 'string' && /^[a-z][a-z-]{0,63}$/.test(code) && { code }),
    ...(typeof detail === 'string' && { detail: detail.slice(0, longestDetail) }),
    ...(typeof serverTime === 'string' && Number.isFinite(Date.parse(serverTime)) && { serverTime }),
  };
}

/** How a tenant presents itself, beside its registered name. */
export type Brand = {
  name: string;
  /** Like `#0a7d4f`. It may be any: choose the colour of a text on it by their contrast. */
  color?: string;
  /** An SVG or PNG of the service. */
  logoUrl?: string;
  /** Where the tenant's users find help. */
  supportUrl?: string;
  detailLabels?: DetailLabels;
};

/**
 * What to call the members of details, by their `type` and the member's name (`creditorAccount.iban` for a nested one): a label, or labels by
 * language. They are not signed. Show a member without a label by its name.
 */
export type DetailLabels = Record<string, Record<string, string | Record<string, string>>>;

/** For whom a code enrols a device. */
export type EnrolmentPreview = AccountNames & {
  /** Absent if the tenant has none. */
  brand?: Brand;
  /** When the code expires, in RFC 3339. */
  expiresAt: string;
  /** `required`: the enrolment needs a passkey. */
  userVerification: UserVerificationMode;
};

/** What a browser needs before it enrols. */
export type DeviceSettings = {
  /** For `PushManager.subscribe()`. */
  webPush: { applicationServerKey: string };
  /** The relying party of passkeys (WebAuthn), and the origins that may use them. */
  rpId: string;
  origins: string[];
};
