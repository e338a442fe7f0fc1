import { pollInterval } from '../confirmations/confirmation.ts';
import { groupView, type GroupWithVotes } from '../confirmations/groups/group.ts';
import { json, type HttpResponse } from './responses.ts';

/** @param repeated an earlier request made the group, and this one sent no push */
export function groupResponse(
  found: GroupWithVotes,
  now: number,
  { status = 200, repeated = false }: { status?: 200 | 202; repeated?: boolean } = {},
): HttpResponse {
  const view = groupView(found, now);
  const retryAfter = { 'retry-after': String(pollInterval(found.group, now)) };
  return json(
    status,
    { ...view, ...(repeated && { repeated }) },
    view.status === 'pending' ? retryAfter : {},
  );
}
