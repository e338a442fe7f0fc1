import { DeviceError } from '#device';
import type { Config } from './platform.ts';
import type { Database } from './storage/database.ts';
import { readValue, writeValue } from './storage/schema.ts';

const valueName = 'config';

/** Reads `/config.json` of this origin. Without a network it is what was read before. */
export async function readConfig(database: Database): Promise<Config> {
  try {
    const config = await fetchConfig();
    await writeValue(database, valueName, config);
    return config;
  } catch (error) {
    const known = await readValue<Config>(database, valueName);
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
  return { baseUrl: body.baseUrl };
}

const isConfig = (body: unknown): body is Config =>
  typeof body === 'object' && body !== null && 'baseUrl' in body && typeof body.baseUrl === 'string';
