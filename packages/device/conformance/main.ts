/** `npx @omi/device conformance`: its options, and how it ends. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DeviceError } from '../src/device-error.ts';
import { scan } from '../src/enrolment-link.ts';
import { driverOf, DriverError } from './driver.ts';
import { failed, formats, write, type Format } from './report.ts';
import { Website, type Credentials } from './running/website.ts';
import { runSuite, type Finding } from './suite.ts';

export const help = `npx @omi/device conformance --driver <command|url> [--link <enrolment link>] [options]

Checks that an implementation of the device protocol does what docs/device-protocol.md asks of it: against a service that
misbehaves, which runs in this process, and with --link against a running one.

  --driver <command|url>  what drives the implementation: a command of the shell, which reads a command per line from its
                          standard input and writes an answer per line, or a URL that takes each command by POST
  --link <link>           the "qr" of POST /omi/enrol/qr, between single quotes. The device enrols with it, and removes
                          itself at the end. Use a user of its own: the suite reports a question as not the user's
  --ask                   also asks on the running service, as the website's client of OMI_TOKEN_URL, OMI_CLIENT_ID and
                          OMI_CLIENT_SECRET
  --report <form>         text (default), junit or json
  --output <file>         where the report goes, if not to standard output
  --only <ids>            only these checks: ids, or their beginnings, between commas
  --patience <ms>         how long the device is told to wait for an answer (default 2000)
  --port <port>           of the misbehaving service (default: any that is free)
  --help                  this text

The exit code is 0 if no check failed, 1 if one did, and 2 if the suite could not run.
`;

/** The command line, or what it needs, is wrong. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = {
  driver: string;
  link: string | undefined;
  website: Website | undefined;
  report: Format;
  output: string | undefined;
  only: string[] | undefined;
  patienceMs: number;
  port: number | undefined;
};

export type Surroundings = {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
};

/** @returns the exit code */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = read(args, around.env);
    if (!options) {
      around.out(help);
      return 0;
    }
    return await run(options, around);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof DriverError)) throw error;
    around.err(`${error.message}\n`);
    return 2;
  }
}

async function run(
  { driver, output, report: form, ...options }: Options,
  { out, err }: Surroundings,
): Promise<number> {
  // Whoever waits sees what happens, unless the report comes at once.
  const onFinding = ({ outcome, id }: Finding): void => err(`${outcome.padEnd(7)}  ${id}\n`);
  const report = await runSuite(driverOf(driver), { ...options, onFinding });
  if (report.findings.length === 0)
    throw new UsageError(`No check has an id that begins with ${options.only?.join(' or ') ?? ''}.`);
  const text = write(report, form);
  if (output === undefined) out(text);
  else await writeFile(output, text);
  return failed(report) ? 1 : 0;
}

/** @returns undefined if only the help is wanted */
function read(args: readonly string[], env: Surroundings['env']): Options | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  if (positionals.length !== 1 || positionals[0] !== 'conformance')
    throw new UsageError(`Expected the command "conformance".\n\n${help}`);
  const { driver, link, report = 'text', output, only } = values;
  if (driver === undefined || driver === '')
    throw new UsageError(`Name the implementation by --driver.\n\n${help}`);
  if (!isFormat(report)) throw new UsageError(`--report takes ${formats.join(', ')}, not "${report}".`);
  if (values.ask === true && link === undefined) throw new UsageError('--ask needs --link.');
  return {
    driver,
    link,
    website: link !== undefined ? websiteOf(baseUrlOf(link), values.ask === true, env) : undefined,
    report,
    output,
    only: only?.split(','),
    patienceMs: wholeNumber('--patience', values.patience ?? '2000', 100, 60_000),
    port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 1, 65_535),
  };
}

const isFormat = (text: string): text is Format => (formats as readonly string[]).includes(text);

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        driver: { type: 'string' },
        link: { type: 'string' },
        ask: { type: 'boolean' },
        report: { type: 'string' },
        output: { type: 'string' },
        only: { type: 'string' },
        patience: { type: 'string' },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${help}`, {
      cause: error,
    });
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${name} takes a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

function baseUrlOf(link: string): string {
  try {
    return scan(link).baseUrl;
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    throw new UsageError(
      `--link takes the "qr" of POST /omi/enrol/qr, between single quotes. ${error.message}`,
      {
        cause: error,
      },
    );
  }
}

function websiteOf(baseUrl: string, asks: boolean, env: Surroundings['env']): Website | undefined {
  if (!asks) return undefined;
  const names = { tokenUrl: 'OMI_TOKEN_URL', clientId: 'OMI_CLIENT_ID', clientSecret: 'OMI_CLIENT_SECRET' };
  const missing = Object.values(names).filter((name) => (env[name] ?? '') === '');
  if (missing.length > 0) throw new UsageError(`--ask needs ${missing.join(', ')} in the environment.`);
  const credentials = Object.fromEntries(Object.entries(names).map(([member, name]) => [member, env[name]]));
  return new Website(baseUrl, credentials as Credentials);
}
