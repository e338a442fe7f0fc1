import { DeviceError } from '#device';
import { pageBrandIn } from '#ui/stage/page-brand.ts';
import { isLanguage } from '../i18n/texts.ts';
import type { Config, StageBrand } from './platform.ts';
import type { Database } from './storage/database.ts';
import { readValue, writeValue } from './storage/schema.ts';

const valueName = 'config';

/** What was read last. */
export const knownConfig = async (database: Database): Promise<Config | undefined> =>
  await readValue<Config>(database, valueName);

/** Reads `/config.json` of this origin. Without a network it is what was read before. */
export async function readConfig(database: Database): Promise<Config> {
  try {
    const config = await fetchConfig();
    await writeValue(database, valueName, config);
    return config;
  } catch (error) {
    const known = await knownConfig(database);
    if (known === undefined) throw error;
    return known;
  }
}

async function fetchConfig(): Promise<Config> {
  const answer = await fetch('/config.json', { cache: 'no-cache' }).catch((error: unknown) => {
    throw new DeviceError('network', { cause: error });
  });
  const body: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
  if (!isConfig(body)) throw new DeviceError('unexpected-answer', { status: answer.status });
  return { baseUrl: body.baseUrl, ...('brand' in body && { brand: brandIn(body.brand) }) };
}

const isConfig = (body: unknown): body is Config =>
  typeof body === 'object' && body !== null && 'baseUrl' in body && typeof body.baseUrl === 'string';

/** The members that are as they should be. */
function brandIn(brand: unknown): StageBrand {
  const { languages } = Object(brand) as Record<string, unknown>;
  return {
    ...pageBrandIn(brand),
    ...(Array.isArray(languages) && { languages: languages.filter(isLanguage) }),
  };
}
