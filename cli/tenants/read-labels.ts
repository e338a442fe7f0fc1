import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { type DetailLabels, detailLabels } from '../../core/tenants/detail-labels.ts';
import { UsageError } from '../command-error.ts';

/** @throws {UsageError} that says why the file has no labels */
export async function readLabels(file: string): Promise<DetailLabels> {
  const refused = (reason: string): UsageError =>
    new UsageError(`--detail-labels: ${file} is not accepted. ${reason}`);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw refused(`The file cannot be read (${code ?? String(cause)}).`);
  });
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), detailLabels), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw refused(`${place === null ? '' : `${place}: `}${issue.message}.`);
}
