/** Kilobytes. Node.js loads about 10 KB of a bundle in 1 ms. */
const budgets = {
  withoutAws: 60,
  routes: 10.5,
  api: 231,
  apiWithSnsOrSignatures: 279,
  webPush: 26,
  kms: 12.5,
  clientAssertions: 26,
  sqs: 28,
  groups: 4,
  testUsers: 10.5,
  targets: 15.5,
  samples: 6,
  proofs: 5.5,
  signals: 5,
  acts: 11.5,
  webhookProbe: 5,
  background: { base: 183.5, perClient: 33, eventBridge: 26.5, s3: 16 },
};

/**
 * The most bytes that a Lambda's bundle may have: less than half of what the CDK's usual bundling makes. A user waits for the
 * cold start of a Lambda of the API. Other Lambdas may have more: their cold start delays an event by a few milliseconds, and
 * they pay for each AWS client. The client of S3 is the largest.
 *
 * A Lambda that changes or explains a target reads its whole record and has its state machine; for tenants it has the words
 * and policies for each fault, too. The test of trust is the one Lambda with the probes of all kinds.
 *
 * @param modules paths of the bundled modules
 * @param isApi true if a user waits for the Lambda's cold start
 */
export function budgetOf(modules: readonly string[], isApi: boolean): number {
  const has = (part: string): boolean => modules.some((path) => path.includes(part));
  const targets = has('core/export/targets/target-store.ts') ? budgets.targets : 0;
  if (isApi) {
    // What tells a user id with a slash from a path that does not exist.
    const routes = has('lambdas/routes.ts') ? budgets.routes : 0;
    if (!has('/@aws-sdk/client-')) return (budgets.withoutAws + routes) * 1_000;
    const isLarger = ['/@aws-sdk/client-sns/', '/jose/', '/aws-jwt-verify/'].some(has);
    const webPush = has('core/devices/push/web-push-client.ts') ? budgets.webPush : 0;
    const kms = has('/@aws-sdk/client-kms/') ? budgets.kms : 0;
    const assertions = has('core/openid/client-assertion.ts') ? budgets.clientAssertions : 0;
    // Tenants ask for tests and replays, which queues pass on.
    const sqs = has('/@aws-sdk/client-sqs/') ? budgets.sqs : 0;
    const groups = has('core/confirmations/groups/close-votes.ts') ? budgets.groups : 0;
    // Each act of the help desk writes its event, and so does who leaves events missing.
    const isAct = has('core/staff/') || has('core/export/targets/dismiss-given-up.ts');
    const acts = isAct ? budgets.acts : 0;
    // What receivers configure, and where their signals wait.
    const signals = has('core/signals/stream-store.ts') ? budgets.signals : 0;
    // Tenants look at samples of events, and ask for one as a test.
    const samples = has('core/events/sample-event.ts') ? budgets.samples : 0;
    // A proof is of the served checkpoint, which is signed if the log has grown.
    const proofs = has('core/export/log/prove.ts') && has('/@aws-sdk/client-kms/') ? budgets.proofs : 0;
    const parts = webPush + kms + assertions + sqs + targets + groups + acts + signals + samples + proofs;
    return ((isLarger ? budgets.apiWithSnsOrSignatures : budgets.api) + parts) * 1_000;
  }
  const { base, perClient, eventBridge, s3 } = budgets.background;
  const clients = new Set(modules.flatMap((path) => /@aws-sdk\/client-[^/]+/.exec(path) ?? []));
  const probe = has('core/export/kinds/webhook/webhook-probe.ts') ? budgets.webhookProbe : 0;
  const testUsers = has('core/confirmations/answer-as-test-user.ts') ? budgets.testUsers : 0;
  // Its client is smaller than others.
  const bus = has('/@aws-sdk/client-eventbridge/') ? eventBridge - perClient : 0;
  const buckets = has('/@aws-sdk/client-s3/') ? s3 : 0;
  const parts = buckets + targets + probe + testUsers + bus;
  return (base + perClient * clients.size + parts) * 1_000;
}
