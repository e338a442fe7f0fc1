/** The log of accepted events, and proofs of it. */
import { ref } from './json-schema.ts';
import { strictObject, text, type Members } from './objects.ts';

const minute = text('Its begin, in UTC.', {
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$`,
});
const count = { type: 'integer', minimum: 1, description: 'How many events it has.' };
const position = (description: string) => ({ type: 'integer', minimum: 0, description });
const base64 = { pattern: '^[A-Za-z0-9+/]{43}=$' };
const hash = (description: string) => text(description, base64);
const hashes = (description: string) => ({
  type: 'array',
  items: { type: 'string', ...base64 },
  description: `${description} In base64, from the bottom.`,
});

export const logSchemas: Members = {
  InclusionProof: strictObject(
    'Proves that an event is in the log (RFC 6962, section 2.1.1), in two trees.',
    {
      minute: strictObject('The batch that has the event.', {
        minute,
        count,
        leafIndex: position("The position of the event in the batch's tree."),
      }),
      minutePath: hashes("From the event to the root of the batch's tree."),
      leafIndex: position('The position of the batch in the tree of the log.'),
      treeSize: { type: 'integer', minimum: 1, description: 'The size of the tree that the path leads to.' },
      path: hashes('From the batch to the root of the log.'),
    },
  ),
  ConsistencyProof: strictObject('Proves that a log only grew (RFC 6962, section 2.1.2).', {
    path: hashes('Empty if both sizes are the same, or the first one is 0.'),
  }),
  LogMinute: strictObject('A batch of the log: the events of a minute, and late ones of earlier minutes.', {
    minute,
    count,
    root: hash("The root of the batch's tree, in base64."),
    leafIndex: position('The position of the batch in the tree of the log.'),
  }),
  LogMinutes: strictObject('The batches of a range, oldest first. A minute without events has none.', {
    minutes: { type: 'array', items: ref('LogMinute') },
  }),
  LogLeaves: strictObject('Leaves of a batch, in their order: by id in lower case, then by hash.', {
    leaves: {
      type: 'array',
      items: text("The event's id, a space, and the SHA-256 of its bytes in hexadecimal.", {
        pattern: '^[0-9A-Fa-f-]{36} [0-9a-f]{64}$',
      }),
    },
    'erased?': {
      type: 'array',
      items: strictObject('A leaf whose event was erased: only its hash is left.', {
        leafIndex: position("Its position in the batch's tree, counted with the others."),
        hash: hash('The hash of the leaf, in base64.'),
      }),
      description: 'They are not among the leaves.',
    },
    'cursor?': text('For the next page. Absent on the last page.'),
  }),
};
