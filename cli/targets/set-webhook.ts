import * as v from 'valibot';
import { faultOfReceiverUrl } from '../../core/outbound/receiver-url.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { webhookContext, webhookDestination, isWebhook } from '../../core/export/kinds/webhook/record.ts';
import { UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, numberOption, typeOption, yesOption } from '../options.ts';
import { requireKnownTypes } from '../event-types.ts';
import type { Session } from '../session.ts';
import { newSigningSecret } from '../signing-secret.ts';
import { requireLiveTenant } from '../tenants/profile-store.ts';
import { formatOption, type FormatOptions } from './format-option.ts';
import { registerTarget } from './register-target.ts';
import { findBefore, refOf, type TargetOptions } from './target-record.ts';

const exampleUrl = 'https://events.example.com/omi';

type Options = TargetOptions & FormatOptions & { url: string; lanes?: number; type?: string[]; yes?: true };

export const setWebhookCommand = defineCommand<Options>({
  name: 'webhook',
  description:
    'Exports a category to a webhook of the tenant. A new URL gets a new secret, which is shown once: the tenant verifies the calls with it.',
  ids: [tenantId, categoryId],
  options: [
    checkedOption('--url <url>', "the tenant's receiver", webhookDestination.entries.url, {
      expected: 'a URL of at most 2048 characters',
      example: exampleUrl,
    }).makeOptionMandatory(),
    numberOption('--lanes <count>', 'ordering lanes; each makes one call at a time (default: 2)', {
      from: 1,
      to: 128,
      example: 2,
    }),
    formatOption(),
    typeOption('only events of these types (default: all)'),
    yesOption(),
  ],
  examples: [
    `target set webhook ${exampleTenant} public --url ${exampleUrl}`,
    `target set webhook ${exampleTenant} public --url ${exampleUrl} --lanes 8 --type UserSignedInEvent`,
    `target set webhook ${exampleTenant} public --url ${exampleUrl} --format cloudevents`,
  ],
  run: setWebhook,
});

async function setWebhook(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const { url, lanes, format, type } = options;
  checkUrl(deployment, url);
  requireKnownTypes(options);
  await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const kept = secretsOf(await findBefore(deployment, ref), url);
  const made = kept ? undefined : await newSigningSecret(deployment, webhookContext(ref));
  await registerTarget(session, deployment, ref, {
    destination: v.parse(webhookDestination, { kind: 'webhook', url, lanes, format }),
    types: type,
    yes: options.yes,
    webhookSecrets: made ? [made.sealed] : kept,
    secret: made?.secret,
  });
}

function checkUrl({ stage }: Deployment, url: string): void {
  const fault = faultOfReceiverUrl(url, stage === 'local');
  if (fault !== undefined) throw new UsageError(`--url: ${fault}`);
}

/** Another URL may belong to somebody else, who must not be able to sign with the secret. */
function secretsOf(before: Target | 'malformed' | undefined, url: string): Target['webhookSecrets'] {
  if (!before || before === 'malformed' || !isWebhook(before.destination)) return undefined;
  return before.destination.url === url ? before.webhookSecrets : undefined;
}
