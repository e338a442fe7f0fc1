/**
 * In a thread of its own: the meter collects the garbage of its heap time and again, and that of a process that has run other
 * suites is large.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Result } from '../../../../tools/bench/targets/stage.ts';

export type Measured = { endpoint: string; count: number; seed: number; command: string };

// The logger reads it when it is loaded.
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
const { measureStage, operatorKey } = await import('../../../../tools/bench/targets/stage.ts');

const { endpoint, command, ...size } = workerData as Measured;
const database = { endpoint, accessKeyId: operatorKey };
const commandsFor = (): string[] => [command];
const result: Result = await measureStage(database, { ...size, commandsFor }, () => undefined);
parentPort?.postMessage(result);
