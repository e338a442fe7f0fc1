import { parseArgs } from 'node:util';
import { ClientError } from '../../../client/http.ts';

export const usage = `npm run phone -- '<link>' [--name <name>] [--confirm | --deny | --not-me]

Enrols a simulated phone with the "qr" from POST /omi/enrol/qr, then waits for challenges and asks what to answer.
Put the link between single quotes: a shell cuts it at its first "&". Stop the phone with Ctrl-C. Its key is lost then.

  --name <name>  what the website calls the phone (default "Simulated phone")
  --confirm      confirm every challenge without asking; a number that must match is asked for all the same
  --deny         deny every challenge without asking
  --not-me       answer every challenge with "this was not me" without asking`;

/** What is answered without a question. */
export type Standing = 'confirm' | 'deny' | 'not-me';

export type PhoneOptions = {
  link: string;
  name: string;
  standing?: Standing | undefined;
};

/** @returns undefined if only the usage is wanted */
export function readOptions(args: readonly string[]): PhoneOptions | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length > 1) throw new ClientError(`Expected one link and got ${positionals.length}.`);
  const standing = (['confirm', 'deny', 'not-me'] as const).filter((name) => values[name]);
  if (standing.length > 1) throw new ClientError(`Choose one of --${standing.join(' and --')}.`);
  const { name } = values;
  if (name === '' || Array.from(name).length > 64) throw new ClientError('--name takes 1 to 64 characters.');
  const [link] = positionals;
  if (link === undefined) throw new ClientError(`There is no link to enrol with.\n\n${usage}`);
  return { link, name, standing: standing[0] };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string', default: 'Simulated phone' },
        confirm: flag,
        deny: flag,
        'not-me': flag,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    throw new ClientError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, {
      cause: error,
    });
  }
}
