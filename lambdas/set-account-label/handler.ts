import * as v from 'valibot';
import type { AccountLabelStore } from '../../core/devices/account-label-store.ts';
import { labelBody, userPath } from '../../core/http/request-schemas.ts';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';

const request = v.object({ path: userPath, body: labelBody });

export type Deps = { labels: AccountLabelStore };

export const createHandler = ({ labels }: Deps) =>
  websiteHandler(request, async ({ path, body }, { caller, now }) => {
    const user = { tenantId: caller.tenantId, userId: path.userId };
    await retryOnConflict(async () => {
      await labels.set(user, body.accountLabel ?? undefined, now);
    });
    return noContent;
  });
