import { Option } from 'commander';
import * as v from 'valibot';
import { contactContext, mailAddress, placeOf, type Contact } from '../../core/export/notices/contact.ts';
import { ContactStore } from '../../core/export/notices/contact-store.ts';
import { NoticeStore } from '../../core/export/notices/notice-store.ts';
import { faultOfReceiverUrl } from '../../core/outbound/receiver-url.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { checkedOption } from '../options.ts';
import { newSigningSecret } from '../signing-secret.ts';

export type ContactOptions = {
  /** False removes it. */
  contact?: string | false;
  rotateContact?: true;
};

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

const place = v.pipe(
  v.string(),
  v.check(
    (text) => isUrl(text) || v.is(mailAddress, text),
    'expected a mail address or the URL of a webhook',
  ),
);

export const contactOptions = (): Option[] => [
  checkedOption(
    '--contact <mail|webhook>',
    'whom the service tells when an export waits for the tenant. A new URL gets a secret, which is shown once',
    place,
    { example: 'events@bank.example' },
  ),
  // For the library, it is the same option as `--contact`: neither goes with the third.
  new Option('--no-contact', 'nobody is told').conflicts('rotateContact'),
  new Option(
    '--rotate-contact',
    "a new secret for the contact's webhook, shown once. The one before signs, too, until the next rotation",
  ),
];

export const contactStoreOf = ({ clients, tables }: Deployment): ContactStore =>
  new ContactStore(clients.dynamodb, tables.tenants);

const noticeStoreOf = ({ clients, tables }: Deployment): NoticeStore =>
  new NoticeStore(clients.dynamodb, tables.tenants);

/** The contact afterwards, and a secret that was made. */
export type ContactChange = { contact: Contact | undefined; secret?: string };

/**
 * Does what the options ask for. The same contact again changes nothing.
 *
 * @throws {UsageError} {@link CommandError} before anything is written
 */
export async function changeContact(
  deployment: Deployment,
  tenantId: string,
  { contact, rotateContact }: ContactOptions,
): Promise<ContactChange> {
  const store = contactStoreOf(deployment);
  const before = await store.find(tenantId);
  if (contact === false) {
    await store.remove(tenantId);
    return { contact: undefined };
  }
  const change = await changed(deployment, tenantId, before, { contact, rotateContact });
  if (change.contact && change.contact !== before) await store.put(tenantId, change.contact);
  return change;
}

async function changed(
  deployment: Deployment,
  tenantId: string,
  before: Contact | undefined,
  { contact: given, rotateContact }: { contact: string | undefined; rotateContact: true | undefined },
): Promise<ContactChange> {
  if (given !== undefined && !isUrl(given)) return { contact: mailContact(deployment, given) };
  const url = given ?? (before && placeOf(before));
  if (url === undefined || !isUrl(url)) {
    if (rotateContact) throw new UsageError('--rotate-contact: the contact of the tenant is no webhook.');
    return { contact: before };
  }
  const fault = given === undefined ? undefined : faultOfReceiverUrl(url, deployment.stage === 'local');
  if (fault !== undefined) throw new UsageError(`--contact: ${fault}`);
  const known = before?.kind === 'webhook' && before.url === url ? before : undefined;
  if (known && !rotateContact) return { contact: known };
  const { secret, sealed } = await newSigningSecret(deployment, contactContext(tenantId));
  const secrets = [sealed, ...(known?.secrets.slice(0, 1) ?? [])];
  return { contact: { kind: 'webhook', url, secrets }, secret };
}

function mailContact({ mailFrom }: Deployment, address: string): Contact {
  if (mailFrom !== undefined) return { kind: 'mail', address };
  throw new CommandError(
    'The stage sends no mail.',
    'Set notices.mailFrom of the stage in cdk.json and deploy it, or give the URL of a webhook.',
  );
}

/** Forgets the contact of a tenant that is deleted, and what it was told. */
export async function removeContact(deployment: Deployment, tenantId: string): Promise<void> {
  await contactStoreOf(deployment).remove(tenantId);
  await noticeStoreOf(deployment).remove(tenantId);
}

/** As JSON: the address or URL. */
export const contactView = (contact: Contact | undefined) =>
  contact && (contact.kind === 'mail' ? { mail: contact.address } : { webhook: contact.url });

/** Why the last notice has not arrived, if it has not. */
export async function contactFault(deployment: Deployment, tenantId: string): Promise<string | undefined> {
  const { targets } = await noticeStoreOf(deployment).find(tenantId);
  return Object.values(targets).flatMap((its) => its?.pending?.fault ?? [])[0];
}

export const describeContact = (contact: Contact | undefined, fault?: string): string =>
  `${contact ? placeOf(contact) : '(none: nobody is told when an export waits for the tenant)'}${fault === undefined ? '' : `. The last notice has not arrived: ${fault}`}`;
