import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { rfc3339, seconds } from '../../core/kernel/time.ts';
import { placeOf, type Contact, type ContactTest } from '../../core/export/notices/contact.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import { timeoutOption } from '../options.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';
import { contactStoreOf, contactView } from './contact.ts';
import { requireTenant } from './profile-store.ts';

type Options = { tenant: string; timeout: number };

export const testContactCommand = defineCommand<Options>({
  name: 'contact-test',
  description:
    'Sends a test to the contact of a tenant, by mail or as a signed call, and shows what came of it. It does not count among the notices of a day.',
  ids: [tenantId],
  options: [timeoutOption({ usual: 60, longest: 600 })],
  examples: [`tenant contact-test ${exampleTenant}`],
  run: testContact,
});

/** The service sends the test itself, so that it proves the way of every notice: the stream, the key, mail and network. */
async function testContact(session: Session, { tenant, timeout }: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, tenant);
  const id = randomUUID();
  if (!(await contactStoreOf(deployment).askForTest(tenant, id)))
    throw new CommandError(
      'The tenant has no contact.',
      `Register one: omi tenant set ${tenant} --contact <mail|webhook> ${deployment.selector}`,
    );
  session.note('The service sends a test to the contact …');
  const tested = await awaitTest(deployment, { tenant, id, timeoutMs: timeout * seconds });
  if (!tested)
    throw new CommandError(
      `The test has no result after ${timeout} s.`,
      'See the log of the Lambda tell-of-exports, or use a longer --timeout.',
    );
  const { contact, lastTest } = tested;
  const { succeeded, reason } = lastTest;
  const at = rfc3339(lastTest.at);
  session.print(
    { tenantId: tenant, contact: contactView(contact), lastTest: { at, succeeded, reason } },
    fields({
      contact: placeOf(contact),
      test: `${succeeded ? 'succeeded' : 'failed'} at ${at}: ${reason}`,
    }),
  );
  if (!succeeded) throw new CommandError('The test failed.', hints[contact.kind]);
}

const hints: Record<Contact['kind'], string> = {
  webhook:
    'The receiver must answer with a status from 200 to 299 within 5 seconds. Its URL must be public and not redirect.',
  mail: 'Amazon SES must have verified notices.mailFrom of cdk.json in the region of the stage, and be out of its sandbox.',
};

const pollMs = 250;

/** @returns undefined at the time-out, or if the contact was removed */
async function awaitTest(
  deployment: Deployment,
  { tenant, id, timeoutMs }: { tenant: string; id: string; timeoutMs: number },
): Promise<{ contact: Contact; lastTest: ContactTest } | undefined> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const contact = await contactStoreOf(deployment).find(tenant);
    if (contact?.lastTest?.id === id) return { contact, lastTest: contact.lastTest };
    if (!contact || Date.now() >= deadline) return undefined;
    await setTimeout(pollMs);
  }
}
