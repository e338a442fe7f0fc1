import {
  categoryPath,
  checkpointQuery,
  consistencyQuery,
  inclusionQuery,
  leavesQuery,
  minutePath,
  minutesQuery,
} from '../../../core/http/request-schemas.ts';
import { hashOfEvent, hashOfMinute, leafOf } from '../../../core/export/log/leaf.ts';
import { emptyTree, withLeaf } from '../../../core/export/log/growing-tree.ts';
import type { TenantLambda } from '../../../lambdas/routes.ts';
import type { WebsiteOperation } from './operation.ts';

const eventId = '0199c0de-0001-7000-8000-00000000000a';
const leaf = leafOf('{"metadata":{"eventId":"0199c0de-0001-7000-8000-00000000000a"}}', eventId);
const root = hashOfEvent(leaf);
const minute = { minute: '2026-03-02T09:41:00Z', count: 1 };
const before = hashOfMinute({ ...minute, minute: '2026-03-02T09:12:00Z', root });
const { tree } = withLeaf(emptyTree, before);
const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

const generation = {
  description:
    'Which log: the number at the end of the origin of its checkpoints, or 1. A restore of the service ends a log and begins another one. By default the latest.',
  example: '1',
};

const example = (summary: string, value: unknown) => ({ summary, value });

type LogLambda = Extract<TenantLambda, `get-${'checkpoint' | 'minute' | `${string}-proof`}` | 'list-minutes'>;

/** By which tenants prove that nothing was changed. */
export const logOperations: Record<LogLambda, WebsiteOperation> = {
  'get-checkpoint': {
    tag: 'exports',
    summary: 'Get the checkpoint of the log',
    description: `
The state of the log of your events, signed by the service: keep it where the service cannot change it. Every later state of the log contains this one, and
anyone can verify that. The form is [tlog-checkpoint](https://c2sp.org/tlog-checkpoint) in a [signed note](https://c2sp.org/signed-note): the origin, the number of leaves,
the root in base64, and a signature with ECDSA on P-256. The key is in \`/.well-known/omi-keys\`, with \`"for": "log"\`.

The log has every event that the service accepted, whatever the filter of the export, but for \`CheckpointEvent\`. A minute with events is closed at most 90 seconds after its end,
and is then one leaf. The package \`@omi/consumer\` verifies it for you, by \`verifyLog\`.

After a restore of the service the origin ends with another \`generation\`, such as \`/2\`. The first leaf of that log is the last checkpoint of the log before: the RFC 6962 leaf hash
of its text, signature included. With \`generation\`, this call answers with the last checkpoint of such an earlier log.`,
    path: categoryPath,
    query: checkpointQuery,
    parameters: { generation },
    success: { status: 200, description: 'The checkpoint.', files: ['text/plain'] },
  },
  'get-inclusion-proof': {
    tag: 'exports',
    summary: 'Prove that an event is in the log',
    description:
      'The hashes that lead from an event to the root of a checkpoint. The leaf of an event is the hash of its id, a line feed, and the SHA-256 in hexadecimal of its bytes, ' +
      'as they are between the commas of a record.',
    path: categoryPath,
    query: inclusionQuery,
    parameters: { generation },
    success: {
      status: 200,
      description: 'The proof.',
      content: {
        schema: 'InclusionProof',
        examples: {
          second: example('The only event of the second minute', {
            minute: { ...minute, leafIndex: 0 },
            minutePath: [],
            leafIndex: 1,
            treeSize: 2,
            path: [base64(before)],
          }),
        },
      },
    },
  },
  'get-consistency-proof': {
    tag: 'exports',
    summary: 'Prove that the log only grew',
    description: 'The hashes that prove that the tree of one checkpoint begins with that of an earlier one.',
    path: categoryPath,
    query: consistencyQuery,
    parameters: {
      from: { description: 'The size of the earlier checkpoint.', example: '1' },
      to: { description: 'The size of the later checkpoint.', example: '2' },
      generation,
    },
    success: {
      status: 200,
      description: 'The proof.',
      content: {
        schema: 'ConsistencyProof',
        examples: {
          second: example('The log got its second leaf', {
            path: [base64(hashOfMinute({ ...minute, root }))],
          }),
        },
      },
    },
  },
  'list-minutes': {
    tag: 'exports',
    summary: 'List the minutes of the log',
    description:
      'The batches whose minute is in the range: from `from` on, and before `to`. `root` is in base64 here. The leaf of a batch is the hash of its minute, its count and its root in hexadecimal, one a line. ' +
      'A log that a restore has begun has the last checkpoint of the log before as leaf 0, so its minutes begin with leaf 1. ' +
      'Minutes are kept for ever.',
    path: categoryPath,
    query: minutesQuery,
    parameters: {
      from: {
        description: 'RFC 3339. The first minute begins at this time or after it.',
        example: '2026-03-02T08:00:00Z',
      },
      to: {
        description: 'RFC 3339. The last minute begins before this time.',
        example: '2026-03-02T10:00:00Z',
      },
      generation,
    },
    success: {
      status: 200,
      description: 'The batches.',
      content: {
        schema: 'LogMinutes',
        examples: {
          one: example('One event in two hours', {
            minutes: [{ ...minute, root: base64(root), leafIndex: tree.size }],
          }),
        },
      },
    },
  },
  'get-minute': {
    tag: 'exports',
    summary: 'List the events of a minute of the log',
    description:
      'The leaves of a batch, from which you compute its root. 8,192 a page: repeat the call with `cursor` for the next page. Leaves are kept for 14 days, like the events.',
    path: minutePath,
    query: leavesQuery,
    parameters: {
      cursor: { description: 'As the page before answered it. Without it, the first page.', example: '8' },
      generation,
    },
    success: {
      status: 200,
      description: 'A page of leaves.',
      content: {
        schema: 'LogLeaves',
        examples: {
          last: example('The only page', { leaves: [`${eventId} ${leaf.digest.toString('hex')}`] }),
        },
      },
    },
  },
};
