import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { defaultFurtherDevicesPolicy, furtherDevicesPolicies } from './further-devices-policy.ts';
import { messageText } from '../kernel/text.ts';

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const count = (most: number) => whole(1, most);
const seconds = whole(0, 86_400);

/** In seconds: how long a website may let a user answer, and what a tenant may set as the longest. */
export const lifetimes = { shortest: 30, usual: 120, longest: 86_400 } as const;

/** The most that a tenant may let a device have open at the same time. */
export const mostOpenPerDevice = 20;

/**
 * Each call of the largest size must have a chance. One key of the index of events takes 1,000 writes in a second, and all eight of a
 * tenant and category 8,000.
 */
export const eventsPerSecond = { least: 100, usual: 1_000, most: 8_000 } as const;

/** The most devices that a tenant may let a user have. */
export const mostDevices = 20;

/** How often one user may be asked. */
const pushLimits = v.strictObject({
  perTenMinutes: v.optional(count(1000), 5),
  perDay: v.optional(count(1000), 20),
  /** Unsuccessful confirmations in a row (denied, expired or failed) before a pause. */
  pauseAfter: v.optional(count(100), 3),
  /** The first pause. Each further one is twice as long, up to the longest. */
  pauseSeconds: v.optional(seconds, 300),
  longestPauseSeconds: v.optional(seconds, 3600),
  notMePauseSeconds: v.optional(seconds, 1200),
});

/**
 * Whether a device must prove with a passkey that its user was verified. `off`: it need not; `preferred`: the app asks for it
 * where it can; `required`: no confirmation and no enrolment without it.
 */
export const userVerificationModes = ['off', 'preferred', 'required'] as const;
export type UserVerificationMode = (typeof userVerificationModes)[number];

/** Whether the device must repeat a number that the website shows: one of three (`pick`), or by typing it (`type`). */
export const numberMatchingModes = ['off', 'pick', 'type'] as const;
export type NumberMatchingMode = (typeof numberMatchingModes)[number];

/** How many members of staff must agree to a recovery. */
export const recoveryByModes = ['one', 'two'] as const;

/** Whether the events of answers have the evidence, with what verifies it. */
export const evidenceInEventsModes = ['off', 'on'] as const;

/** Whether a member of a group sees how many others have confirmed, and who. */
export const showVotesModes = ['off', 'on'] as const;

/** Whether the users of `core/kernel/test-users.ts` exist, who answer by themselves. */
export const testUsersModes = ['off', 'on'] as const;

export const tenantSettings = v.strictObject({
  numberMatching: v.optional(v.picklist(numberMatchingModes), 'off'),
  /** Shown in the push instead of the message, which then only the app shows. */
  genericPushText: v.optional(messageText),
  pushLimits: v.optional(pushLimits, {}),
  /** Devices a user may have. */
  maxDevices: v.optional(count(mostDevices), 5),
  furtherDevices: v.optional(v.picklist(furtherDevicesPolicies), defaultFurtherDevicesPolicy),
  userVerification: v.optional(v.picklist(userVerificationModes), 'off'),
  recoveryBy: v.optional(v.picklist(recoveryByModes), 'one'),
  evidenceInEvents: v.optional(v.picklist(evidenceInEventsModes), 'off'),
  showVotes: v.optional(v.picklist(showVotesModes), 'off'),
  testUsers: v.optional(v.picklist(testUsersModes), 'off'),
  /** Seconds: the longest `expiresIn` that a website may ask for. */
  longestLifetime: v.optional(whole(lifetimes.shortest, lifetimes.longest), 600),
  /** Confirmations that may be open on a device at the same time. */
  openPerDevice: v.optional(count(mostOpenPerDevice), 1),
  /** Events that its platform may record in a second. */
  eventsPerSecond: v.optional(whole(eventsPerSecond.least, eventsPerSecond.most), eventsPerSecond.usual),
});

export type TenantSettings = v.InferOutput<typeof tenantSettings>;
export type PushLimits = TenantSettings['pushLimits'];

export const defaultSettings: TenantSettings = v.parse(tenantSettings, {});

/** Without defaults, so that an older version need not know a setting that is not used. */
export const changedSettings = (settings: TenantSettings): v.InferInput<typeof tenantSettings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !isDeepStrictEqual(value, defaultSettings[name as keyof TenantSettings]),
    ),
  );

/** Who asks, for people: the registered names of tenant and client. */
const requester = v.object({ tenant: v.string(), client: v.string() });
export type Requester = v.InferOutput<typeof requester>;

/** The caller of a website's request, which the authorizer passes to the handlers, possibly from the cache. */
export const websiteCaller = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  clientId: v.string(),
  /** `exp` of the token, seconds since 1970. The cached result may outlive the token. */
  tokenExpiresAt: v.number(),
  /** Whether the token has the scope `credential:omi:recovery`. */
  recovery: v.optional(v.boolean(), false),
  requester,
  /** Origins to which a push may lead its user back. */
  returnOrigins: v.optional(v.array(v.string())),
  /** The client is called back when a confirmation that it asked for ends. */
  callback: v.optional(v.literal(true)),
  settings: tenantSettings,
});

export type WebsiteCaller = v.InferOutput<typeof websiteCaller>;

/** The authorizer's form, in which defaults may be absent. */
export type SerializedCaller = v.InferInput<typeof websiteCaller>;
