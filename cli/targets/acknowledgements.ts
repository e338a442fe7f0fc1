import { describeTarget } from '../../core/events/target-ref.ts';
import { type Acknowledgement, isAcknowledged } from '../../core/export/notices/acknowledgement.ts';
import { AilingTargets } from '../../core/export/notices/ailing-target-store.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Who knows of a target's trouble, and until when its alarm is silent. */
export type Acknowledged = { by: string; until: string };

export const acknowledgedView = ({ by, until }: Pick<Acknowledgement, 'by' | 'until'>): Acknowledged => ({
  by,
  until: rfc3339(until),
});

export const acknowledgedText = ({ by, until }: Acknowledged): string => `by ${by} until ${until}`;

export const ailingTargetsOf = ({ clients, tables }: Deployment): AilingTargets =>
  new AilingTargets(clients.dynamodb, tables.tenants);

/** @returns undefined if nobody acknowledged the trouble, or that has ended */
export type AcknowledgedOf = (target: Target, now: number) => Acknowledged | undefined;

export async function loadAcknowledged(deployment: Deployment): Promise<AcknowledgedOf> {
  const found = new Map<string, Acknowledgement>();
  for await (const page of ailingTargetsOf(deployment).pages())
    for (const { acknowledged, ...ref } of page)
      if (acknowledged) found.set(describeTarget(ref), acknowledged);
  return (target, now) => {
    const its = found.get(describeTarget(target));
    return isAcknowledged(target, its, now) ? acknowledgedView(its) : undefined;
  };
}
