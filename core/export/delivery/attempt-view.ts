import { rfc3339 } from '../../kernel/time.ts';
import { withoutVendorMessage } from '../targets/vendor-message.ts';
import type { Attempt } from './attempt.ts';

/** An attempt as its tenant sees it. What AWS says of the operator's resources is left out. */
export const attemptView = ({ at, reason, actor, ...others }: Attempt) => ({
  at: rfc3339(at),
  ...others,
  ...(reason !== undefined && {
    reason: actor === 'tenant' ? reason : withoutVendorMessage(reason),
  }),
  ...(actor !== undefined && { actor }),
});
