/** The event by which a tenant learns that a user was erased. It stays. */
const ofErasure = 'UserErasedEvent';

/** Members whose values are ids of users. */
const namesOfUsers = new Set(['userId', 'agent', 'members', 'confirmedBy']);

/** True if an event names a user, anywhere in it. */
export function isAbout(event: string, userId: string): boolean {
  // Most events do not have the id at all.
  if (!event.includes(JSON.stringify(userId))) return false;
  const { metadata, payload } = JSON.parse(event) as { metadata: { type: string }; payload?: unknown };
  return metadata.type !== ofErasure && (names(metadata, userId) || names(payload, userId));
}

function names(value: unknown, userId: string, isOfUsers = false): boolean {
  if (typeof value === 'string') return isOfUsers && value === userId;
  if (Array.isArray(value)) return value.some((one) => names(one, userId, isOfUsers));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => names(inner, userId, namesOfUsers.has(name)));
}
