import {
  categoryPath,
  cursorQuery,
  ledgerHourPath,
  ledgerQuery,
} from '../../../core/http/request-schemas.ts';
import { TypeSums } from '../../../core/export/ledger/id-sum.ts';
import type { TenantLambda } from '../../../lambdas/routes.ts';
import type { WebsiteOperation } from './operation.ts';

const eventIds = ['0199c0de-0001-7000-8000-00000000000a', '0199c0de-0002-7000-8000-00000000000b'];

const sums = new TypeSums();
for (const eventId of eventIds) sums.add('UserCreatedEvent', eventId);
const hour = {
  hour: '2026-03-02T09:00:00Z',
  ...sums.toLedgerSum(),
  types: sums.toRecord(),
  final: true,
};

type LedgerLambda = Extract<TenantLambda, `get-ledger${string}`>;

/** By which tenants prove that their copy is complete. */
export const ledgerOperations: Record<LedgerLambda, WebsiteOperation> = {
  'get-ledger': {
    tag: 'exports',
    summary: 'Count the accepted events',
    description: `
How many events the service accepted for your tenant in each hour of their acceptance, whatever the filter of the export, and a digest of
their ids. Compare it with your copy: an hour with the same count and digest is complete. It is exact, whatever was repeated on the way. It
detects loss and faults, but no forged ids and no changed content. The package \`@omi/consumer\` does it for you, by \`reconcile\`.

The ledger goes back 14 days: hours that are older are left out. It is behind the acceptance by 15 seconds at most. If there are millions of
events to count, the answer may be 503 with \`Retry-After: 1\`: the next call goes on from there.`,
    path: categoryPath,
    query: ledgerQuery,
    success: {
      status: 200,
      description: 'Each hour that the range touches, up to the current one.',
      content: {
        schema: 'Ledger',
        examples: { hour: { summary: 'An hour with two events', value: { hours: [hour] } } },
      },
    },
  },
  'get-ledger-hour': {
    tag: 'exports',
    summary: 'List the ids of accepted events',
    description:
      'The ids of all events that were accepted in an hour. A page has about 25,000 of them. Repeat the call with `cursor` for the next page.',
    path: ledgerHourPath,
    query: cursorQuery,
    success: {
      status: 200,
      description: 'A page of ids. An event that is accepted meanwhile may be missing.',
      content: {
        schema: 'LedgerIds',
        examples: {
          last: { summary: 'The only page', value: { eventIds } },
          first: { summary: 'A page of several', value: { eventIds, cursor: '0.1772442000000-9f86d081' } },
        },
      },
    },
  },
};
