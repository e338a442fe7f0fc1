import { readFile } from 'node:fs/promises';
import type { Logo } from '../../../core/tenants/brand.ts';
import { UsageError } from '../../command-error.ts';
import { faultOfPng, isPng } from './png-fault.ts';
import { faultOfSvg } from './svg-fault.ts';

const largest = 32 * 1024;

/** @throws {UsageError} that says why the file is no logo */
export async function readLogo(file: string): Promise<Logo> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw refused(file, `The file cannot be read (${code ?? String(cause)}).`);
  });
  if (bytes.length > largest)
    throw refused(file, `The file has ${bytes.length} bytes: expected at most ${largest}.`);
  const format = isPng(bytes) ? 'png' : 'svg';
  const fault = format === 'png' ? faultOfPng(bytes) : faultOfSvgBytes(bytes);
  if (fault !== undefined) throw refused(file, fault);
  return { format, bytes };
}

const refused = (file: string, reason: string): UsageError =>
  new UsageError(`--brand-logo: ${file} is not accepted. ${reason}`);

/** Browsers read the text as UTF-8, as the type of the answer says. */
function faultOfSvgBytes(bytes: Buffer): string | undefined {
  try {
    return faultOfSvg(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return 'Expected a PNG, or an SVG in UTF-8.';
  }
}
