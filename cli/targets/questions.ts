import { describeDestination } from '../../core/export/kinds/descriptions.ts';
import { isPlace, type Destination } from '../../core/export/kinds/records.ts';
import { describeTargetStatus } from '../../core/export/targets/target-status.ts';
import { isDrained, type Target } from '../../core/export/targets/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { named, nameOf } from './describe-target.ts';

const malformed = "The target's record is malformed. Events that wait for the target will not be delivered.";

/** Where the events go, in a few words. */
const placeText = (destination: Destination): string =>
  isPlace(destination)
    ? Object.entries(describeDestination(destination))
        .slice(0, 1)
        .map(([kind, name]) => `the ${kind} ${String(name)}`)
        .join('')
    : 'no destination';

/** Whose events it is about, where they go, and what waits: what a person has to know before an answer. */
export async function situationOf(deployment: Deployment, target: Target): Promise<string> {
  const { tenantId, category, destination } = target;
  const { state, parked } = describeTargetStatus(target, Date.now());
  const who = named(tenantId, await nameOf(deployment, target));
  const waiting = isDrained(target) || parked === 0 ? 'no events wait' : `about ${parked} events wait`;
  return `The ${category} events of the tenant ${who} go to ${placeText(destination)}, which is ${state}; ${waiting}.`;
}

/** @param before missing if there is no target yet */
export async function endQuestion(
  deployment: Deployment,
  before: Target | 'malformed' | undefined,
  category: string,
): Promise<string> {
  const question = `End the export of ${category} events?`;
  if (before === 'malformed') return `${malformed} ${question}`;
  if (!before) return question;
  const lost = isDrained(before) ? '' : ' What waits will not be delivered.';
  return `${await situationOf(deployment, before)}${lost} ${question}`;
}

export const replaceQuestion = async (
  deployment: Deployment,
  before: Target,
  next: Destination,
): Promise<string> =>
  `${await situationOf(deployment, before)} Replace this destination by ${placeText(next)}? What waits goes there as soon as a test has passed.`;
