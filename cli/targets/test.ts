import { Option } from 'commander';
import { isPlace } from '../../core/export/kinds/records.ts';
import { faultOf } from '../../core/export/targets/target-status.ts';
import type { Target, TestEvent } from '../../core/export/targets/target.ts';
import { testEventFor } from '../../core/export/verification/test-event.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { verificationFault, statementToChange } from '../../core/export/kinds/checks.ts';
import { seconds } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { requireKnownTypes } from '../event-types.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { oneTypeOption, timeoutOption } from '../options.ts';
import type { Session } from '../session.ts';
import { describeTarget, nameOf, targetView } from './describe-target.ts';
import { refOf, requireTarget, type TargetOptions } from './target-record.ts';
import { awaitOutcome, haveTested, isSound } from './verification-client.ts';
import { agreedFor, tenantDocuments } from '../../core/export/kinds/policies/tenant-documents.ts';
import { proofOf } from '../../core/export/kinds/proofs.ts';
import { operatorOf } from '../deployment/account-client.ts';
import type { Deployment } from '../deployment/deployment.ts';

type Change = NonNullable<ReturnType<typeof statementToChange>>;

/** The fault's code, the check that failed, and the statement that the tenant's policies must have. */
type TestFinding = { code?: string; check?: string; change?: Change };

async function explainFault(deployment: Deployment, target: Target): Promise<TestFinding> {
  const fault = faultOf(target);
  if (!fault) return {};
  const check = proofOf(fault.code);
  const change = await changeFor(deployment, target, fault.code);
  return { code: fault.code, ...(check !== undefined && { check }), ...(change && { change }) };
}

async function changeFor(deployment: Deployment, target: Target, code: string): Promise<Change | undefined> {
  const agreed = agreedFor(target, await operatorOf(deployment));
  return agreed && statementToChange(code, tenantDocuments(agreed));
}

const describeFinding = ({ check, change }: TestFinding): string =>
  [
    ...(check === undefined ? [] : [`Failed check: ${check}`]),
    ...(change
      ? [
          `The tenant's ${names[change.document]} must have this statement:\n${JSON.stringify(change.statement, null, 2)}`,
        ]
      : []),
  ].join('\n');

const names: Record<Change['document'], string> = {
  trustPolicy: "role's trust policy",
  permissionPolicy: "role's permissions",
  bucketPolicy: 'bucket policy',
  keyPolicy: 'key policy',
};

type Options = TargetOptions & { timeout: number; proof?: string; type?: string };

export const testTargetCommand = defineCommand<Options>({
  name: 'test',
  description:
    'Asks the service to test a target, and says what is wrong. A new target becomes active when a test passes.',
  ids: [tenantId, categoryId],
  options: [
    timeoutOption({ usual: 300, longest: 3600 }),
    new Option('--proof <text>', "for a bucket: the text that its owner read in the service's object there"),
    oneTypeOption('also send an event of this type. Consumers know it by its producerId, omi-test'),
  ],
  examples: [
    `target test ${exampleTenant} public`,
    `target test ${exampleTenant} public --type UserSignedInEvent`,
    `target test ${exampleTenant} log --proof w8Xk2vQ9`,
  ],
  run: testTarget,
});

async function testTarget(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const registered = await requireTarget(deployment, refOf(options));
  if (!isPlace(registered.destination))
    throw new CommandError('The destination of this target is none: there is nothing to test.');
  const { proof } = options;
  const before = await haveTested(deployment, registered, { proof, event: eventOf(registered, options) });
  const target = await awaitOutcome(deployment, before, {
    timeoutMs: options.timeout * seconds,
    note: (line) => session.note(line),
  });
  const finding = isSound(target, before) ? undefined : await explainFault(deployment, target);
  const [now, known] = [Date.now(), { tenantName: await nameOf(deployment, target) }];
  session.print(
    { ...targetView(target, now, known), ...finding },
    [describeTarget(target, now, known), finding && describeFinding(finding)].filter(Boolean).join('\n\n'),
  );
  if (awaitsProof(target, options)) session.note(stepTwo);
  else if (finding) throw notVerified(target);
  requireTaken(target);
}

function eventOf(target: Target, { type, category }: Options): TestEvent | undefined {
  if (type === undefined) return undefined;
  requireKnownTypes({ category, type: [type] });
  try {
    return testEventFor(target, type);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const faults = error.options.errors?.map(({ detail }) => `--type: ${detail}`) ?? [];
    throw new CommandError([...faults, error.message][0] ?? '');
  }
}

/** A target may be well and still refuse an event. */
function requireTaken({ lastTest }: Target): void {
  if (lastTest?.event && lastTest.outcome === 'failed')
    throw new CommandError(`The target did not take the event (${lastTest.code}).`, lastTest.reason);
}

const stepTwo =
  'Step 2 of 3: ask the tenant for the text of this object. Step 3 is the same command with --proof <text>.';

/** A bucket's first test always ends so: until then, there was nothing that its owner could read. */
const awaitsProof = (target: Target, { proof }: Options): boolean =>
  proof === undefined && faultOf(target)?.code === verificationFault('OwnershipUnproven').code;

function notVerified(target: Target): CommandError {
  const fault = faultOf(target);
  if (fault) return new CommandError(`The test failed (${fault.code}).`);
  return new CommandError(
    'The test has no outcome yet.',
    'The service continues to test while AWS is slow. Look again with "omi target status", or use a longer --timeout. See also the log of the Lambda verify-target.',
  );
}
