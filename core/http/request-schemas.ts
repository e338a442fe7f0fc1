import * as v from 'valibot';
import { nonce, userId } from '../kernel/identifiers.ts';
import { categories } from '../events/target-ref.ts';
import { purposes } from '../confirmations/context.ts';
import { whichDevices } from '../confirmations/confirmation.ts';
import { groupSize } from '../confirmations/groups/group.ts';
import { parseAuthorizationDetails } from '../confirmations/authorization-details.ts';
import { accountLabel, messageText } from '../kernel/text.ts';
import { webUrl } from '../kernel/web-url.ts';
import { requestOrigin } from '../confirmations/request-origin.ts';
import { lifetimes } from '../tenants/tenant.ts';

/**
 * Parameters and bodies of the website's requests. Unknown members of a body are rejected, because a misspelt one would
 * change the meaning. Unknown query parameters are ignored.
 */

export const userPath = v.object({ userId });
export const devicePath = v.object({ userId, deviceId: v.string() });
export const nonceQuery = v.object({ nonce });
/** The `auth_req_id` of CIBA is a nonce of the service. */
export const withdrawalQuery = v.object({
  nonce: v.optional(nonce),
  userId: v.optional(userId),
  authReqId: v.optional(nonce),
});

/** Seconds. Without a value it is the usual lifetime, or the longest one if that is shorter. */
function lifetimeUpTo(longest: number) {
  const { shortest, usual } = lifetimes;
  const expected = `expected a whole number of seconds from ${shortest} to ${longest}`;
  const lifetime = v.pipe(
    v.number(expected),
    v.integer(expected),
    v.minValue(shortest, expected),
    v.maxValue(longest, expected),
  );
  return v.optional(lifetime, Math.min(usual, longest));
}

const item = (segment: string): v.IssuePathItem => ({
  type: 'unknown',
  origin: 'value',
  input: undefined,
  key: segment.replaceAll('~1', '/').replaceAll('~0', '~'),
  value: undefined,
});

function pathOf(pointer: string): [v.IssuePathItem, ...v.IssuePathItem[]] | undefined {
  const [first, ...rest] = pointer.split('/').slice(1).map(item);
  return first && [first, ...rest];
}

/** Every fault, at its place in the list. */
export const detailsCheck = /* @__PURE__ */ v.rawCheck<unknown[]>(({ dataset, addIssue }) => {
  if (!dataset.typed) return;
  const parsed = parseAuthorizationDetails(dataset.value);
  const faults = 'faults' in parsed ? parsed.faults : [];
  for (const { pointer, detail } of faults) addIssue({ message: detail, path: pathOf(pointer) });
});

/** `blob:https://…` has the origin of what is inside. Only a website on the developer's machine registers one with http. */
const isOf = ({ protocol, origin }: URL, origins: readonly string[]): boolean =>
  (protocol === 'https:' || protocol === 'http:') && origins.includes(origin);

const returnUrl = (origins: readonly string[]) =>
  v.pipe(
    webUrl(),
    v.check(
      (text) => !URL.canParse(text) || isOf(new URL(text), origins),
      'expected a URL of an origin that is registered for the client (omi client set --return-origin)',
    ),
  );

/** What every question has. */
const question = (longestLifetime: number) => ({
  message: messageText,
  nonce,
  expiresIn: lifetimeUpTo(longestLifetime),
  requestedFrom: v.optional(requestOrigin),
  authorizationDetails: v.optional(v.pipe(v.array(v.unknown(), 'expected a list of objects'), detailsCheck)),
});

/**
 * @param longestLifetime the tenant's setting
 * @param returnOrigins those that are registered for the client
 */
export const pushBody = (longestLifetime: number, returnOrigins: readonly string[] = []) =>
  v.pipe(
    v.strictObject({
      ...question(longestLifetime),
      purpose: v.optional(v.picklist(purposes, `expected one of ${purposes.join(', ')}`)),
      subjectDeviceId: v.optional(v.string('expected a string')),
      returnTo: v.optional(returnUrl(returnOrigins)),
      devices: v.optional(v.picklist(whichDevices, `expected one of ${whichDevices.join(', ')}`)),
    }),
    v.forward(
      v.partialCheck(
        [['purpose'], ['subjectDeviceId']],
        ({ purpose, subjectDeviceId }) => purpose !== 'remove-device' || subjectDeviceId !== undefined,
        'expected the id of the device that the confirmation removes',
      ),
      ['subjectDeviceId'],
    ),
    v.forward(
      v.partialCheck(
        [['purpose'], ['subjectDeviceId']],
        ({ purpose, subjectDeviceId }) => purpose === 'remove-device' || subjectDeviceId === undefined,
        'expected no such member: only the purpose remove-device has it',
      ),
      ['subjectDeviceId'],
    ),
  );

const memberCount = `expected ${groupSize.least} to ${groupSize.most} ids of users`;
const requiredCount = 'expected a whole number from 1 to the number of members';

/** @param longestLifetime the tenant's setting */
export const groupBody = (longestLifetime: number) =>
  v.pipe(
    v.strictObject({
      ...question(longestLifetime),
      members: v.pipe(
        v.array(userId, memberCount),
        v.minLength(groupSize.least, memberCount),
        v.maxLength(groupSize.most, memberCount),
        v.checkItems((id, index, all) => all.indexOf(id) === index, 'expected no member twice'),
      ),
      required: v.pipe(v.number(requiredCount), v.integer(requiredCount), v.minValue(1, requiredCount)),
    }),
    v.forward(
      v.partialCheck(
        [['members'], ['required']],
        ({ members, required }) => required <= members.length,
        requiredCount,
      ),
      ['required'],
    ),
  );

export const enrolmentBody = v.strictObject({
  userId,
  accountLabel: v.optional(accountLabel),
  confirmation: v.optional(nonce),
});
export const labelBody = v.strictObject({ accountLabel: v.nullable(accountLabel) });
/** From an app that has no credentials yet. */
export const previewBody = v.strictObject({ code: v.string() });
export const tenantPath = v.object({ tenantId: v.string() });
export const removalQuery = v.object({ confirmation: v.optional(nonce) });
export const enrolmentQuery = v.object({ enrolmentId: v.string() });

const category = v.picklist(categories, `expected one of ${categories.join(', ')}`);
export const categoryPath = v.object({ category });

/** RFC 3339, which browsers and most languages write. */
const time = v.pipe(
  v.string(),
  v.isoTimestamp('expected a time with Z or an offset, like 2026-03-01T08:30:00Z'),
);
export const ledgerQuery = v.object({ from: time, to: time });

const hourText = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:00:00Z$/,
    'expected an hour as the ledger names it, like 2026-03-01T08:00:00Z',
  ),
);
export const ledgerHourPath = v.object({ category, hour: hourText });

const size = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9]\d{0,8})$/, 'expected a number of leaves'),
  v.transform(Number),
);
const generation = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,4}$/, 'expected the number at the end of the origin of a checkpoint, or 1'),
    v.transform(Number),
  ),
);
const eventId = v.pipe(
  v.string(),
  v.regex(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, 'expected the id of an event'),
);
/** `aggregateId` names public events, and `agent` events of the log. */
export const inclusionQuery = v.object({
  eventId,
  aggregateId: v.optional(v.string()),
  agent: v.optional(v.string()),
  size: v.optional(size),
  generation,
});
export const consistencyQuery = v.object({ from: size, to: size, generation });
export const checkpointQuery = v.object({ generation });
export const minutesQuery = v.object({ ...ledgerQuery.entries, generation });

const minuteText = v.pipe(
  v.string(),
  v.regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00Z$/,
    'expected a minute as the log names it, like 2026-03-01T08:30:00Z',
  ),
);
export const minutePath = v.object({ category, minute: minuteText });
export const leavesQuery = v.object({
  generation,
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,4}$/, 'expected the cursor of an earlier answer for this minute'),
      v.transform(Number),
    ),
  ),
});

export const deliveriesQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]\d?|100)$/, 'expected a whole number from 1 to 100'),
      v.transform(Number),
    ),
  ),
  cursor: v.optional(v.string()),
  failed: v.optional(v.picklist(['true', 'false'], 'expected true or false')),
});
export const cursorQuery = v.object({ cursor: v.optional(v.string()) });
