import * as v from 'valibot';
import { sealedSecret } from '../../outbound/sealed-secret.ts';

/** As browsers read `<input type=email>` (HTML, "Valid email address"), with a domain that has a dot. */
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const mailPattern = new RegExp(`^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(?:${label}\\.)+[a-z]{2,63}$`, 'i');

export const mailAddress = v.pipe(v.string(), v.maxLength(254), v.regex(mailPattern));

const tests = {
  /** The test that the operator asked for, by its id, until it is done. */
  askedTest: v.optional(v.string()),
  lastTest: v.optional(
    v.object({ id: v.string(), at: v.number(), succeeded: v.boolean(), reason: v.string() }),
  ),
};

/** Whom the service tells when an export waits for its tenant. The secrets sign the calls, newest first: two while one is replaced. */
export const contact = v.variant('kind', [
  v.object({ kind: v.literal('mail'), address: mailAddress, ...tests }),
  v.object({ kind: v.literal('webhook'), url: v.string(), secrets: v.array(sealedSecret), ...tests }),
]);

export type Contact = v.InferOutput<typeof contact>;

export type ContactTest = NonNullable<Contact['lastTest']>;

/** The encryption context of a contact's secret. A secret that is copied to another tenant cannot be opened. */
export const contactContext = (tenantId: string) => ({ use: 'contact', tenantId });

export const placeOf = (given: Contact): string => (given.kind === 'mail' ? given.address : given.url);
