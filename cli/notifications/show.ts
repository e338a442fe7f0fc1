import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { type Confirmation, confirmationView } from '../../core/confirmations/confirmation.ts';
import { challengeIdOf } from '../../core/kernel/identifiers.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/directory-of.ts';
import { fields } from '../text-table.ts';
import { type Evidence, verifyEvidence } from './evidence.ts';

type Options = { tenant: string; nonce?: string; challenge?: string };

export async function showNotification(session: Session, options: Options): Promise<void> {
  const challengeId = idOf(options);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const store = new ConfirmationStore(deployment.clients.dynamodb, deployment.tables.confirmations);
  const confirmation = await store.find(challengeId, Date.now());
  // The same answer whether it does not exist or is another tenant's.
  if (confirmation?.tenantId !== options.tenant)
    throw new CommandError(
      'The tenant has no such notification.',
      'One is forgotten 24 hours after its end; its events tell of it for 14 days.',
    );
  const evidence = await verifyEvidence(confirmation);
  const view = { ...viewOf(confirmation), evidence };
  session.print(view, describe(view));
}

function idOf({ tenant, nonce, challenge }: Options): string {
  if (challenge !== undefined) return challenge;
  if (nonce !== undefined) return challengeIdOf(tenant, nonce);
  throw new UsageError('Which notification? Name it by --nonce or by --challenge.');
}

/** The website's view, without the nonce and the signed answer itself. */
const shown = [
  'challengeId',
  'userId',
  'deviceId',
  'messageHash',
  'status',
  'reason',
  'delivery',
  'createdAt',
  'openedAt',
  'decidedAt',
  'expiresAt',
] as const;

type View = Partial<Record<(typeof shown)[number], string>>;

function viewOf(confirmation: Confirmation): View {
  const all = confirmationView(confirmation, Date.now());
  return Object.fromEntries(shown.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

const describe = ({ evidence, ...view }: View & { evidence: Evidence }): string =>
  fields({ ...view, evidence: describeEvidence(evidence) });

function describeEvidence({ verified, faults }: Evidence): string {
  if (verified) return "the device's key signed this decision about this message";
  return faults.length > 0 ? `NOT VALID: ${faults.join('; ')}` : 'none: no device answered';
}
