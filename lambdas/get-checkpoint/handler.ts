import * as v from 'valibot';
import { checkpointOf, type CheckpointDeps } from '../../core/export/log/served-checkpoint.ts';
import { categoryPath, checkpointQuery } from '../../core/http/request-schemas.ts';
import { plainText } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: categoryPath, query: checkpointQuery });

export const createHandler = (deps: CheckpointDeps) =>
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const { signed } = await checkpointOf(deps, { tenantId, category }, query.generation);
    return plainText(signed.text);
  });
