import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { noticeDeps } from '../../core/lambda/notice-wiring.ts';
import { scheduledLambda } from '../../core/lambda/scheduled-lambda.ts';
import { lookAtAiling } from '../../core/export/notices/look-at-ailing.ts';
import { measureStuckTargets } from '../../core/export/notices/notice-metrics.ts';
import { environment } from './definition.ts';

const deps = noticeDeps(documentClient(), parseEnvironment(environment, process.env));

/** Looks at the targets that are not well, mostly none. */
export const handler = scheduledLambda(async (): Promise<void> => {
  const stuck = await lookAtAiling(deps);
  if (stuck > 0) measureStuckTargets(stuck);
});
