import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import * as v from 'valibot';
import { isObject } from '../../core/kernel/json.ts';
import { CommandError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import { prefixOf } from '../deployment/deployment.ts';
import { localFolder } from '../deployment/local-description.ts';
import type { Id } from '../ids.ts';
import { parserOf } from '../options.ts';
import type { Session } from '../session.ts';

const exampleTrace = 'bVd2Ck5xliAEPaw=';

const traceId: Id = {
  name: 'id',
  placeholder: 'traceId',
  description: 'the traceId of an answer or an event',
  parse: parserOf(v.pipe(v.string(), v.regex(/^[\w=.:-]{1,200}$/)), {
    expected: 'a traceId as the answer has it',
    example: exampleTrace,
  }),
};

export const traceCommand = topCommand<{ id: string }>({
  ids: [traceId],
  examples: [`trace ${exampleTrace}`, `trace ${exampleTrace} --local`],
  run: trace,
});

async function trace(session: Session, { id }: { id: string }): Promise<void> {
  const deployment = await session.deployment();
  if (deployment.hasAccount) {
    const prefix = `${prefixOf(deployment)}-`;
    const query = `fields @timestamp, @log, @message\n| filter traceId = "${id}" or requestId = "${id}"\n| sort @timestamp`;
    const where = `CloudWatch Logs Insights, ${deployment.region}, all log groups whose name begins with ${prefix}:`;
    session.print({ region: deployment.region, logGroupPrefix: prefix, query }, `${where}\n\n${query}`);
    return;
  }
  const lines = await linesOf(join(localFolder(session.environment), 'lambda.log'), id);
  if (lines.length === 0)
    throw new CommandError(
      `The local stack logged nothing of ${id}.`,
      'It logs refused calls since its start. Take the traceId from the answer as it is.',
    );
  session.print(lines, lines.map((line) => JSON.stringify(line)).join('\n'));
}

type Line = { traceId?: unknown; requestId?: unknown; function_request_id?: unknown };

/** The lines that name the call, and all others of the same runs of Lambdas. A log may be large: it is read twice instead of kept. */
async function linesOf(file: string, id: string): Promise<Line[]> {
  const names = ({ traceId: one, requestId }: Line): boolean => one === id || requestId === id;
  const named = await linesWhere(file, names);
  const runs = new Set<unknown>(named.flatMap(({ function_request_id: run }) => run ?? []));
  return await linesWhere(file, (line) => names(line) || runs.has(line.function_request_id));
}

async function linesWhere(file: string, isWanted: (line: Line) => boolean): Promise<Line[]> {
  const found: Line[] = [];
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line = objectIn(text);
    if (line && isWanted(line)) found.push(line);
  }
  return found;
}

function objectIn(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isObject(line) ? line : undefined;
  } catch {
    // A Lambda that ends prints its error as text.
    return undefined;
  }
}
