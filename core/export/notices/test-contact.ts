import { logger } from '../../kernel/observability.ts';
import type { ContactStore } from './contact-store.ts';
import { sendTest } from './send-notice.ts';
import type { TellDeps } from './tell-of-target.ts';

export type TestDeps = Omit<TellDeps, 'contacts' | 'notices'> & {
  contacts: Pick<ContactStore, 'find' | 'noteTest'>;
};

/** Which test an operator asked for. */
export type AskedTest = { tenantId: string; id: string };

/** Sends the test to the contact as it is now, and notes what came of it. A test that is done is not sent again. */
export async function testContact(deps: TestDeps, { tenantId, id }: AskedTest, now: number): Promise<void> {
  const contact = await deps.contacts.find(tenantId);
  if (contact?.askedTest !== id) return;
  const name = (await deps.nameOf(tenantId)) ?? tenantId;
  const test = { id, at: now, tenant: { id: tenantId, name }, page: deps.page };
  const outcome = await sendTest(deps, test, contact);
  logger.info('test of a contact', { tenantId, succeeded: outcome.succeeded });
  await deps.contacts.noteTest(tenantId, { id, at: now, ...outcome });
}
