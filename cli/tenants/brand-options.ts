import { Option } from 'commander';
import { type Brand, brandColor, brandName, type Logo } from '../../core/tenants/brand.ts';
import { httpsUrl } from '../../core/kernel/web-url.ts';
import { checkedOption } from '../options.ts';
import { readLogo } from './logo/read-logo.ts';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { type DetailLabels, detailLabels } from '../../core/tenants/detail-labels.ts';
import { UsageError } from '../command-error.ts';

/** @throws {UsageError} that says why the file has no labels */
async function readLabels(file: string): Promise<DetailLabels> {
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

/** The options of a tenant's brand, as commander names them. */
export type BrandOptions = {
  brandName?: string;
  brandLogo?: string;
  brandColor?: string;
  supportUrl?: string;
  detailLabels?: string;
  /** False takes the brand off. */
  brand?: boolean;
};

export const brandOptions = (): Option[] => [
  checkedOption('--brand-name <name>', 'the name that apps show, in place of the registered one', brandName, {
    example: '"Example Bank"',
  }),
  new Option('--brand-logo <file>', 'an SVG or PNG of at most 32 KB. An SVG has shapes and colours only'),
  checkedOption('--brand-color <colour>', 'the colour of the brand. Apps keep texts readable', brandColor, {
    example: '#0a7d4f',
  }),
  checkedOption('--support-url <url>', "where the tenant's users find help", httpsUrl(), {
    example: 'https://bank.example/help',
  }),
  new Option(
    '--detail-labels <file>',
    'a JSON file with what apps call the members of details: { "<type>": { "<member>": "<label>" } }',
  ),
  new Option('--no-brand', 'takes the brand off: apps show the registered name alone').conflicts([
    'brandName',
    'brandLogo',
    'brandColor',
    'supportUrl',
    'detailLabels',
  ]),
];

/** What the options change: `brand` is undefined if they leave it as it is, and null if they take it off. */
export type BrandChange = { brand: Brand | null | undefined; logo?: Logo };

/** @throws {UsageError} if the logo is not accepted */
export async function readBrand(before: Brand | undefined, options: BrandOptions): Promise<BrandChange> {
  if (options.brand === false) return { brand: null };
  const { brandName: name, brandLogo: file, brandColor: color, supportUrl, detailLabels } = options;
  const logo = file === undefined ? undefined : await readLogo(file);
  const changes: Brand = {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color }),
    ...(supportUrl !== undefined && { supportUrl }),
    ...(logo && { logo: logo.format }),
    ...(detailLabels !== undefined && { detailLabels: await readLabels(detailLabels) }),
  };
  if (Object.keys(changes).length === 0) return { brand: undefined };
  return { brand: { ...before, ...changes }, ...(logo && { logo }) };
}
