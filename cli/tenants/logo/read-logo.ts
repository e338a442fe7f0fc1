import { readFile } from 'node:fs/promises';
import type { Logo } from '../../../core/tenants/brand.ts';
import { UsageError } from '../../command-error.ts';
import { faultOfSvg } from './svg-fault.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type of the first chunk, which has 13 bytes (PNG, section 11.2.1). */
const header = Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
/** A small file can claim to be a huge picture. */
const widest = 1024;

const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature);

/** Why a file is no logo, as a sentence; undefined if it is one. */
function faultOfPng(bytes: Buffer): string | undefined {
  if (bytes.length < 24 || !bytes.subarray(8, 16).equals(header)) return 'The PNG has no header.';
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (Math.min(width, height) >= 1 && Math.max(width, height) <= widest) return undefined;
  return `The PNG has ${width} × ${height} pixels: expected at most ${widest} × ${widest}.`;
}

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
