/** `npm run bench:targets`: what the exporter, the daily tests and the CLI do in a stage with very many targets. */
import { parseArgs } from 'node:util';
import { startDynamoDb } from '../../local/aws/emulators/dynamodb-local/start.ts';
import { writeBlock } from '../report/document.ts';
import { render } from './report.ts';
import type { Size } from './stage.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '14' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function measure(size: Size): Promise<string> {
  // The logger reads it when it is loaded.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  const { measureStage, operatorKey } = await import('./stage.ts');
  const database = await startDynamoDb({ sharedDb: true });
  try {
    const place = { endpoint: database.endpoint, accessKeyId: operatorKey };
    return render(await measureStage(place, size, (line) => console.error(line)));
  } finally {
    await database.close();
  }
}

if (values.help) {
  console.log('npm run bench:targets -- [--targets 10000] [--seed 14] [--write]');
} else {
  const report = await measure({ count: Number(values.targets), seed: Number(values.seed) });
  console.log(report);
  if (values.write) await writeBlock('bench:targets', report);
}
