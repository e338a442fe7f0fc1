import { parseArgs } from 'node:util';
import { ClientError } from '../../../client/http.ts';

export const usage = `npm run phone -- '<link>' [--name <name>] [--confirm | --deny | --not-me] [--key <file>]
npm run phone -- --key <file>

Enrols a simulated phone with the "qr" from POST /omi/enrol/qr, then waits for challenges and asks what to answer.
Put the link between single quotes: a shell cuts it at its first "&". Stop the phone with Ctrl-C.

  --name <name>  what the website calls the phone (default "Simulated phone")
  --confirm      confirm every challenge without asking; a number that must match is asked for all the same
  --deny         decline every challenge without asking
  --not-me       answer every challenge with "this was not me" without asking
  --key <file>   keep the key in this file, so that the same phone goes on at the next start, without a link;
                 without it the key is lost when the phone stops`;

/** What is answered without a question. */
export type Standing = 'confirm' | 'deny' | 'not-me';

export type PhoneOptions = {
  link?: string | undefined;
  name: string;
  standing?: Standing | undefined;
  keyFile?: string | undefined;
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
  if (link === undefined && values.key === undefined)
    throw new ClientError(`There is no link to enrol with.\n\n${usage}`);
  return { link, name, standing: standing[0], keyFile: values.key };
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
        key: { type: 'string' },
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    throw new ClientError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, {
      cause: error,
    });
  }
}
