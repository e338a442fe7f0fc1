/** A payload of each type of public event, from the example of its last version. */
import { type Catalogue, readSchema } from '../../../core/events/schemas/published.ts';

type Sample = { version: string; payload: Record<string, unknown> };

/** The members that have ids of users. */
const userMembers = ['userId', 'members', 'confirmedBy'];

/** A sample is sent to real programs, so its users must be nobody's. */
const asTestUser = (user: unknown): unknown =>
  Array.isArray(user) ? user.map(asTestUser) : `${String(user)}@omi.test`;

const samplesOf = ({ payloads }: Catalogue): Record<string, Sample> =>
  Object.fromEntries(
    payloads.map(({ name, version, schema }) => {
      const [example] = readSchema(schema).examples ?? [];
      const members = Object.entries(example as Record<string, unknown>);
      const payload = members.map(([member, value]) => [
        member,
        userMembers.includes(member) ? asTestUser(value) : value,
      ]);
      return [name, { version, payload: Object.fromEntries(payload) as Record<string, unknown> }];
    }),
  );

/** With lists in one line, as the code is laid out. */
export const samplesText = (catalogue: Catalogue): string =>
  JSON.stringify(samplesOf(catalogue), null, 2).replaceAll(
    /\[\n\s+([^[\]]*?)\n\s+\]/gu,
    (_, items: string) => `[${items.replaceAll(/,\n\s+/gu, ', ')}]`,
  );
