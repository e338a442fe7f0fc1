/** What a website kept of one payment, with a day of its tenant's exported events, and what an auditor does with it. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { omi } from '../../cli/omi.ts';
import { startPython } from '../../docs/tenants/programs.ts';

type Json = Record<string, unknown>;
export type Key = { kid: string; for: string; from: string; until?: string; [member: string]: unknown };
export type ExportedEvent = { metadata: Json & { type: string; occurredTime: string }; payload: Json };

export type PaymentFiles = {
  confirmation: Json;
  message: string;
  details?: string;
  keys: { keys: Key[] };
  events?: ExportedEvent[];
};

export type Verdict = {
  proved: boolean;
  steps: ({ check: string } | string)[];
  statement?: Json;
  failure?: { code: string; text: string };
};

export type Auditor = (files: PaymentFiles, more?: string[]) => Promise<{ code: number; verdict: Verdict }>;

/** Writes the files for a while, and gives the options that name them. */
async function written<Result>(
  { confirmation, message, details, keys, events }: PaymentFiles,
  use: (options: string[]) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-audit-'));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const lines = (events ?? []).map((event) => `${JSON.stringify({ events: [event] })}\n`);
  try {
    await mkdir(join(folder, 'exported/09'), { recursive: true });
    await write('exported/09/a', lines.slice(0, 2).join(''));
    await write('exported/09/b', lines.slice(2).join(''));
    return await use([
      ...['--confirmation', await write('payment.json', JSON.stringify(confirmation))],
      ...['--message', `@${await write('message.txt', message)}`],
      ...['--keys', await write('omi-keys.json', JSON.stringify(keys))],
      ...(details === undefined ? [] : ['--details', await write('details.json', details)]),
      ...(events ? ['--events', join(folder, 'exported')] : []),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `omi audit`, without a stack: it asks nobody. */
export const auditByCommand: Auditor = async (files, more = []) =>
  await written(files, async (options) => {
    const { code, out, err } = await omi(['audit', ...options, ...more, '--json']);
    if (out === '') throw new Error(err);
    return { code, verdict: JSON.parse(out) as Verdict };
  });

/** One process for all audits of a suite: starting Python takes longer than they do. */
export class PythonAuditor {
  readonly #program = startPython('test/packages/evidence/audits.py');
  readonly #lines = createInterface(this.#program.stdout)[Symbol.asyncIterator]();

  readonly audit: Auditor = async (files, more = []) =>
    await written(files, async (options) => {
      const { code, output } = await this.run([...options, ...more]);
      return { code, verdict: JSON.parse(output) as Verdict };
    });

  /** Runs the program with these arguments. */
  async run(args: readonly string[]): Promise<{ code: number; output: string }> {
    this.#program.stdin.write(`${JSON.stringify(args)}\n`);
    const { value = '{}' } = await this.#lines.next();
    return JSON.parse(value) as { code: number; output: string };
  }

  async stop(): Promise<void> {
    this.#program.stdin.end();
    await once(this.#program, 'close');
  }
}
