import { type Confirmation, confirmationView } from '../../core/confirmations/confirmation.ts';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { challengeIdOf, sha256Text } from '../../core/kernel/identifiers.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand, topGroup } from '../command.ts';
import { exampleTenant, nonceId, tenantId } from '../ids.ts';
import { checkedOption } from '../options.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { type Evidence, verifyEvidence } from './evidence.ts';

type Options = { tenant: string; nonce?: string; challenge?: string };

const exampleNonce = '8f2c1e0b7d6a4f93';
const exampleChallenge = challengeIdOf(exampleTenant, exampleNonce);

const showCommand = defineCommand<Options>({
  name: 'show',
  description:
    "Shows a confirmation's state, times and delivery, and verifies the device's signed answer without asking the service.",
  ids: [tenantId],
  optionalIds: [nonceId],
  options: [
    checkedOption('--challenge <id>', 'the challenge id, in place of the nonce', sha256Text, {
      expected: 'a challenge id, 43 characters of A-Z a-z 0-9 _ -',
      example: exampleChallenge,
    }),
  ],
  examples: [
    `confirmation show ${exampleTenant} ${exampleNonce}`,
    `confirmation show ${exampleTenant} --challenge ${exampleChallenge} --json`,
  ],
  run: showConfirmation,
});

export const confirmationCommands = topGroup(
  {
    examples: [`confirmation show ${exampleTenant} ${exampleNonce}`],
  },
  [showCommand],
);

async function showConfirmation(session: Session, options: Options): Promise<void> {
  const challengeId = challengeOf(options);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const store = new ConfirmationStore(deployment.clients.dynamodb, deployment.tables.confirmations);
  const confirmation = await store.find(challengeId, Date.now());
  // The same answer for an unknown id and for one of another tenant.
  if (confirmation?.tenantId !== options.tenant)
    throw new CommandError(
      'The tenant has no such confirmation.',
      'A confirmation is deleted 24 hours after its end. Its events are kept for 14 days.',
    );
  const evidence = await verifyEvidence(confirmation);
  const view = { ...viewOf(confirmation), evidence };
  session.print(view, describe(view));
}

function challengeOf({ tenant, nonce, challenge }: Options): string {
  if (nonce !== undefined && challenge !== undefined)
    throw new UsageError('Pass either the nonce or --challenge, not both.');
  if (challenge !== undefined) return challenge;
  if (nonce !== undefined) return challengeIdOf(tenant, nonce);
  throw new UsageError(
    `Missing: nonce. Pass the nonce, or the challenge id with --challenge, for example: omi confirmation show ${exampleTenant} ${exampleNonce}`,
  );
}

/** Like the website's view, but without the nonce and the signed answer. */
const shown = [
  'challengeId',
  'userId',
  'deviceId',
  'messageHash',
  'detailsHash',
  'contextHash',
  'status',
  'reason',
  'delivery',
  'createdAt',
  'openedAt',
  'decidedAt',
  'expiresAt',
  'userVerified',
] as const;

type View = Partial<Record<(typeof shown)[number], string | boolean>>;

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
