/**
 * The suites that take longest, longest first: those that keep a processor busy, with browsers, compilers and stacks that
 * start.
 */
const computing = [
  'test/browser/bank/bank.test.ts',
  'test/browser/confirm.test.ts',
  'test/pages/bank/bank.test.ts',
  'test/tools/local/start/npm-start.test.ts',
  'test/contract/fuzz.test.ts',
  'test/lib/stage.test.ts',
  'test/tools/bench/soak.test.ts',
  'test/docs/agents/mcp-approval.test.ts',
  'test/tools/local/start/public-urls.test.ts',
  'test/tools/local/start/ctrl-c.test.ts',
  'test/tools/local/start/website.test.ts',
  'test/packages/installed-website.test.ts',
  'test/packages/elements/confirmation.test.ts',
  'test/lib/app.test.ts',
  'test/tools/bench/export.test.ts',
  'test/docs/tenants.test.ts',
  'test/packages/elements/enrolment.test.ts',
  'test/browser/enrol.test.ts',
  'test/docs/website-examples/website-examples.test.ts',
  'test/docs/ten-minutes.test.ts',
  'test/tools/local/aws/emulators/kinesis-local.test.ts',
  'test/pages/app/gallery/gallery.test.ts',
  'test/core/events/event-store.test.ts',
  'test/pages/app/platform/push.test.ts',
  'test/pages/exports/gallery/gallery.test.ts',
  'test/browser/passkey.test.ts',
  'test/pages/app/platform/enrolment.test.ts',
  'test/packages/device/vectors/service.test.ts',
  'test/packages/installed-device.test.ts',
  'test/packages/elements/form.test.ts',
  'test/tools/bundling/bundle.test.ts',
];

/** Those that wait for lifetimes, back-offs and what runs in the background. */
const waiting = [
  // It starts a stack, which others use afterwards.
  'test/cli/commands.test.ts',
  'test/contract/export-faults-repair.test.ts',
  'test/cli/smoke/smoke.test.ts',
  'test/contract/exports-api.test.ts',
  'test/tools/local/phone/phone.test.ts',
  'test/cli/smoke/examples.test.ts',
  'test/tools/local/demo/demo.test.ts',
  'test/contract/export-faults.test.ts',
  // Not among the first, when the machine has most to do: a target that is slow for that is served another way.
  'test/contract/permissions.test.ts',
  'test/browser/exports.test.ts',
  'test/contract/expiry.test.ts',
  'test/contract/killed.test.ts',
  'test/contract/webhooks.test.ts',
  'test/contract/faults.test.ts',
  'test/browser/hostile.test.ts',
  'test/tools/local/event-sources/event-sources.test.ts',
  'test/contract/export.test.ts',
  'test/core/export/replays/replay-events.test.ts',
  'test/core/export/delivery/export-batch.test.ts',
  'test/packages/website/calls.test.ts',
  'test/contract/callbacks.test.ts',
  'test/contract/limits.test.ts',
  'test/packages/website/confirm.test.ts',
  'test/contract/export-faults-neighbours.test.ts',
  'test/packages/device/retries.test.ts',
  'test/contract/export-faults-recovery.test.ts',
  'test/core/export/kinds/webhook/webhooks.test.ts',
  'test/contract/device.test.ts',
  'test/contract/ledger.test.ts',
  'test/contract/ciba.test.ts',
  'test/core/export/delivery/redeliver-batch.test.ts',
  'test/contract/web-device.test.ts',
  'test/cli/verification.test.ts',
  'test/contract/website.test.ts',
  'test/contract/user-verification.test.ts',
  'test/core/export/delivery/export-races.test.ts',
  'test/contract/further-devices.test.ts',
  'test/core/export/delivery/recovery.test.ts',
  'test/lambdas/replay-events/handler.test.ts',
];

export const slowest = { computing, waiting };

type Suite = { path: string };

/**
 * Begins the slowest first, so that no worker is left with a long one at the end, and mixes those that compute, those that
 * wait and the many quick ones: of each the same share at any time, so that processors are neither idle nor overloaded.
 */
export function inOrder<One extends Suite>(suites: readonly One[]): One[] {
  const all = [...waiting, ...computing];
  const quick = suites.filter(({ path }) => !all.some((name) => isNamed(path, name)));
  return [named(suites, waiting), named(suites, computing), quick]
    .flatMap(evenlySpread)
    .toSorted((one, other) => one.place - other.place)
    .map(({ suite }) => suite);
}

const isNamed = (path: string, name: string): boolean => path.endsWith(`/${name}`);

const named = <One extends Suite>(suites: readonly One[], names: readonly string[]): One[] =>
  names.flatMap((name) => suites.filter(({ path }) => isNamed(path, name)));

const evenlySpread = <One>(suites: readonly One[]): { suite: One; place: number }[] =>
  suites.map((suite, index) => ({ suite, place: index / suites.length }));
