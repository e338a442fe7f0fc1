import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Finding, Probe } from '../probe.ts';

/** Some Lambdas reserve a share, and AWS keeps 100 for the others. */
const leastConcurrency = 1_000;

/** Calls that Lambda runs at the same time in this account and region. A new account has fewer than the usual 1,000. */
export async function checkConcurrency(lambda: LambdaClient): Promise<Finding> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const concurrency = AccountLimit?.ConcurrentExecutions ?? 0;
  const subject = 'concurrent executions';
  if (concurrency >= leastConcurrency) return { subject, ok: true, detail: `${concurrency}` };
  const fix = `Ask for ${leastConcurrency} in Service Quotas: AWS Lambda, "Concurrent executions".`;
  return { subject, ok: false, detail: `${concurrency}, ${leastConcurrency} are needed`, fix };
}

/** A stage that is deployed works with fewer, until many call at once. The local stack has no limit of an account. */
export const concurrencyProbe: Probe = {
  name: 'lambda',
  check: async ({ clients, hasAccount }: Deployment) => {
    if (!hasAccount) return [];
    const found = await checkConcurrency(clients.lambda);
    return [found.ok ? found : { ...found, ok: true, warning: true }];
  },
};
