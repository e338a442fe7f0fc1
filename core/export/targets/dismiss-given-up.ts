import * as v from 'valibot';
import { eventWrites } from '../../events/event-items.ts';
import { logEventOf, type Producer, type RequestContext } from '../../events/event.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { visibleText } from '../../kernel/text.ts';
import type { GivenUpEvents } from './given-up-store.ts';
import { givenUpStatus } from './target-status.ts';
import type { TargetStore } from './target-store.ts';
import { openLosses, type Target } from './target.ts';
import { requireTarget } from './steer-target.ts';

export type DismissalDeps = {
  targets: Pick<TargetStore, 'find'>;
  givenUp: Pick<GivenUpEvents, 'dismissed'>;
  eventsTable: string;
  producer: Producer;
};

/** Who leaves the events missing: a client of the tenant, one of its engineers, or the operator. */
export type Dismissal = { who: string; reason: string };

/** Why nobody replays events that were given up, for people. */
export const dismissBody = v.strictObject({ reason: visibleText(256) });

/**
 * Leaves what a target gave up missing, which is recorded in the tenant's log. If nothing is given up, nothing happens.
 *
 * @throws {Refusal} `export-not-found`
 */
export async function dismissGivenUp(
  deps: DismissalDeps,
  ref: TargetRef,
  dismissal: Dismissal,
  context: RequestContext,
): Promise<Target> {
  const { targets, givenUp, eventsTable, producer } = deps;
  const target = requireTarget(await targets.find(ref));
  const losses = openLosses(target);
  if (losses.length === 0) return target;
  const { tenantId, category } = ref;
  const { count, since, until } = givenUpStatus(losses);
  const event = logEventOf(
    {
      tenantId,
      agent: dismissal.who,
      type: 'ExportGivenUpDismissedEvent',
      description: 'Events that were given up are left missing',
      tag: 'LIFECYCLE',
      payload: { category, ...dismissal, count, since, until },
    },
    context,
    producer,
  );
  const { now } = context;
  const recorded = eventWrites(eventsTable, { tenantId, events: [event], acceptedAt: now, by: 'service' });
  const isDismissed = await retryOnConflict(async () => await givenUp.dismissed(target, now, recorded));
  // The target has changed since it was read, perhaps by a loss that nobody has seen.
  if (!isDismissed) return await dismissGivenUp(deps, ref, dismissal, context);
  return requireTarget(await targets.find(ref));
}
