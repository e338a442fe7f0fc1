import * as v from 'valibot';
import { categories } from '../events/target-ref.ts';
import type { TargetState } from '../export/targets/target.ts';
import { sha256Text, userId } from '../kernel/identifiers.ts';
import { timestamp } from '../kernel/timestamp.ts';

/** Paths, queries and bodies of the requests of the help desk. */

const tenantId = v.pipe(
  v.string('expected the id of a tenant'),
  v.uuid('expected the id of a tenant, a UUID'),
);

export const staffUserPath = v.object({ userId });
export const staffDevicePath = v.object({ userId, deviceId: v.string() });
export const tenantQuery = v.object({ tenantId });
export const staffUserQuery = v.object({ tenantId, before: v.optional(timestamp) });

/** What the help desk may do to a user's record, besides allowing a recovery. */
export const userActs = ['reset-limits', 'suspend', 'unsuspend', 'withdraw-recovery'] as const;
export type UserAct = (typeof userActs)[number];
export const userActBody = v.strictObject({
  tenantId,
  act: v.picklist(userActs, `expected one of ${userActs.join(', ')}`),
});

export const recoveryBody = v.strictObject({
  tenantId,
  agreeTo: v.optional(v.pipe(v.string(), v.uuid('expected the id of a recovery'))),
});

export const checkBody = v.strictObject({ tenantId, deviceId: v.optional(v.string('expected a string')) });
export const checkPath = v.object({ userId, checkId: sha256Text });

/** People write a space between the digits. */
const spokenNumber = v.pipe(
  v.string('expected six digits'),
  v.transform((text) => text.replace(/\s+/g, '')),
  v.regex(/^\d{6}$/, 'expected six digits'),
);
export const numberBody = v.strictObject({ tenantId, number: spokenNumber });

export const staffTenantPath = v.object({ tenantId });

const category = v.picklist(categories, `expected ${categories.join(' or ')}`);
export const staffExportPath = v.object({ tenantId, category });
export const staffReplayPath = v.object({ tenantId, category, replayId: v.string() });

const states = [
  'validating',
  'active',
  'degraded',
  'parked',
  'paused',
] as const satisfies readonly TargetState[];
export const exportsQuery = v.object({
  state: v.optional(v.picklist(states, `expected one of ${states.join(', ')}`)),
  tenantId: v.optional(tenantId),
});

const steering = ['pause', 'resume'] as const;
export type SteeringAct = (typeof steering)[number];
export const steeringBody = v.strictObject({
  act: v.picklist(steering, `expected ${steering.join(' or ')}`),
});
