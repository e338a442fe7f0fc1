import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import type { Calls } from './calls.ts';
import type { CommandRow } from './commands.ts';
import type { Row } from './meter.ts';
import type { Result } from './stage.ts';

const describeCalls = (calls: Calls): string =>
  Object.entries(calls)
    .map(([name, number]) => `${formatNumber(number)} ${name}`)
    .join(', ');

const lambdaRow = ({ what, seconds, cpuSeconds, calls, megabytes, remark }: Row) => ({
  'what a Lambda does': what,
  s: formatNumber(seconds),
  'CPU s': formatNumber(cpuSeconds),
  'MB kept': formatNumber(Math.max(0, megabytes)),
  calls: describeCalls(calls),
  remark,
});

const commandRow = ({ command, seconds, cpuSeconds, megabytes, lines, bytes, calls }: CommandRow) => ({
  command: `\`omi ${command}\``,
  s: formatNumber(seconds),
  'CPU s': formatNumber(cpuSeconds),
  'MB of the process': formatNumber(megabytes),
  lines: formatNumber(lines),
  KB: formatNumber(bytes / 1_000),
  calls: describeCalls(calls),
});

export const render = ({ count, seed, rows, commands }: Result): string =>
  `${describeMachine()}. ${formatNumber(count)} tenants, each with a target and a client that gets call-backs: a third of the targets are streams, a third buckets, a third webhooks.
The Lambdas' own code and DynamoDB Local run on this machine; a stand-in answers for the rest of AWS and the receivers after 5 ms.

${formatTable(rows.map(lambdaRow))}

For the commands, seed ${seed} has chosen a hundredth of the targets, which needs an action of its tenant.

${formatTable(commands.map(commandRow))}`;
