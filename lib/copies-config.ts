import { keysOfStage } from './key-names.ts';

type Settings = Parameters<typeof keysOfStage>[0] & {
  env: { region?: string };
  data: { copies?: { region: string } | undefined; keys: Readonly<Record<string, string>> };
};

/** @returns why the second region of a stage, or its replicas of keys, make no sense */
export function copiesFault(settings: Settings): string | undefined {
  const { env, data } = settings;
  if (data.copies && env.region === undefined)
    return 'data.copies requires env.region: the second region must know the first';
  if (data.copies && data.copies.region === env.region)
    return `data.copies.region: expected another region than ${env.region}, which env.region names`;
  const known = keysOfStage(settings).map(({ id }) => id);
  const unknown = Object.keys(data.keys).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return `data.keys: there is no key ${unknown.join(', ')}; expected one of ${known.join(', ')}`;
  return undefined;
}
