import * as v from 'valibot';
import { nonce, userId } from '../kernel/identifiers.ts';
import { categories } from '../events/target-ref.ts';
import { purposes } from '../confirmations/context.ts';
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
export const withdrawalQuery = v.object({ nonce: v.optional(nonce), userId: v.optional(userId) });

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

const returnUrl = (origins: readonly string[]) =>
  v.pipe(
    webUrl(),
    v.check(
      (text) => !URL.canParse(text) || origins.includes(new URL(text).origin),
      'expected a URL of an origin that is registered for the client (omi client set --return-origin)',
    ),
  );

/**
 * @param longestLifetime the tenant's setting
 * @param returnOrigins those that are registered for the client
 */
export const pushBody = (longestLifetime: number, returnOrigins: readonly string[] = []) =>
  v.pipe(
    v.strictObject({
      message: messageText,
      nonce,
      expiresIn: lifetimeUpTo(longestLifetime),
      purpose: v.optional(v.picklist(purposes, `expected one of ${purposes.join(', ')}`)),
      subjectDeviceId: v.optional(v.string('expected a string')),
      requestedFrom: v.optional(requestOrigin),
      returnTo: v.optional(returnUrl(returnOrigins)),
      authorizationDetails: v.optional(
        v.pipe(v.array(v.unknown(), 'expected a list of objects'), detailsCheck),
      ),
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

export const enrolmentBody = v.strictObject({
  userId,
  accountLabel: v.optional(accountLabel),
  confirmation: v.optional(nonce),
});
export const labelBody = v.strictObject({ accountLabel: v.nullable(accountLabel) });
/** Of the app, which has no credentials yet. */
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
export const cursorQuery = v.object({ cursor: v.optional(v.string()) });
