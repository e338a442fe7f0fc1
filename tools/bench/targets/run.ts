/** `npm run bench:targets`: what the exporter, the daily tests and the CLI do in a stage with very many targets. */
import { parseArgs } from 'node:util';
import { startDynamoDb } from '../../local/aws/emulators/dynamodb-local/start.ts';
import { writeBlock } from '../report/document.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';

const { values } = parseArgs({
  options: {
    ...{ targets: { type: 'string', default: '10000' }, seed: { type: 'string', default: '14' } },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});

async function measure(count: number, seed: number): Promise<string> {
  // The logger reads it when it is loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  const { measureStage } = await import('./measure.ts');
  const database = await startDynamoDb({ sharedDb: true });
  try {
    const { rows, commands, mostTestsInASecond } = await measureStage(database.endpoint, { count, seed });
    const costs = ({ cpuSeconds, calls }: Pick<(typeof rows)[number], 'cpuSeconds' | 'calls'>) => ({
      'CPU s': formatNumber(cpuSeconds),
      calls: Object.entries(calls)
        .map(([name, number]) => `${formatNumber(number)} ${name}`)
        .join(', '),
    });
    const commandRows = commands.map(({ command, megabytes, lines, ...its }) => ({
      ...{ command: `\`omi ${command}\``, MB: formatNumber(megabytes), lines: formatNumber(lines) },
      ...costs(its),
    }));
    return [
      `${describeMachine()}. ${formatNumber(count)} targets, a hundredth of which (seed ${seed}) needs an action of its tenant while the commands run.`,
      formatTable(
        rows.map((row) => ({ 'what a Lambda does': row.what, s: formatNumber(row.seconds), ...costs(row) })),
      ),
      `At most ${mostTestsInASecond} daily tests are due in a second.`,
      formatTable(commandRows),
    ].join('\n\n');
  } finally {
    await database.close();
  }
}

if (values.help) console.log('npm run bench:targets -- [--targets 10000] [--seed 14] [--write]');
else {
  const report = await measure(Number(values.targets), Number(values.seed));
  console.log(report);
  if (values.write) await writeBlock('bench:targets', report);
}
