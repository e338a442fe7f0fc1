import { once } from 'node:events';
import { createServer } from 'node:net';
import { servers, type Settings } from './settings.ts';
import { StartError } from './start-error.ts';

type Wanted = { port: number; variable: string; serves: string };
type Refused = Wanted & { code: string };

/**
 * All ports are looked at before anything starts: who has to choose others is told of all of them at once.
 *
 * @throws {StartError} if ports are not free, with a command that starts on others
 */
export async function checkPorts(settings: Settings): Promise<void> {
  await using held = new AsyncDisposableStack();
  const refused: Refused[] = [];
  for (const wanted of wantedBy(settings)) {
    const code = await hold(wanted.port, held);
    if (code !== undefined) refused.push({ ...wanted, code });
  }
  if (refused.length === 0) return;
  const others: string[] = [];
  for (const { variable, port } of refused) others.push(`${variable}=${await nextFree(port, held)}`);
  throw new StartError(
    `${refused.map(toldOf).join('\n')}\n\nFor example:\n  ${others.join(' ')} npm start\n\nOr OMI_PORT=0 for any free ports.`,
  );
}

/** The usual port of tokens gives way by itself. */
const wantedBy = ({ port, tokenPort, ...ports }: Settings): Wanted[] =>
  [
    { variable: 'OMI_PORT', serves: 'the API', port },
    ...Object.entries(servers).map(([name, { variable, serves }]) => ({
      ...{ variable, serves },
      port: ports[name as keyof typeof servers],
    })),
    { variable: 'OMI_TOKEN_PORT', serves: 'access tokens', port: tokenPort.isChosen ? tokenPort.port : 0 },
  ].filter((wanted) => wanted.port !== 0);

const toldOf = ({ port, variable, serves, code }: Refused): string =>
  code === 'EACCES'
    ? `This user may not use port ${port}. Choose another one for ${serves} with ${variable}.`
    : `Port ${port} is in use by another program. Choose another one for ${serves} with ${variable}.`;

/** Tens above, as a row of servers moves together: 8080 to 8090. */
async function nextFree(port: number, held: AsyncDisposableStack): Promise<number> {
  const next = port < 1_024 ? port + 8_000 : port + 10;
  if (next > 65_535) return 0;
  return (await hold(next, held)) === undefined ? next : await nextFree(next, held);
}

/**
 * On both addresses of the name localhost, as a browser may choose either.
 *
 * @returns the error's code if the port is not free
 */
async function hold(port: number, held: AsyncDisposableStack): Promise<string | undefined> {
  for (const address of ['127.0.0.1', '::1']) {
    const server = createServer();
    try {
      server.listen(port, address);
      await once(server, 'listening');
      held.defer(async () => await new Promise<void>((done) => server.close(() => done())));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // A machine without IPv6.
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) return code;
    }
  }
  return undefined;
}
