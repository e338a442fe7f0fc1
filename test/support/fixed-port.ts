import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux gives programs that ask for any port one above these: https://docs.kernel.org/networking/ip-sysctl.html */
const [LOWEST, HIGHEST] = [20_000, 32_000] as const;

/** A port that is free now, and that no program gets by chance until the test uses it, perhaps twice. */
export async function fixedPort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return await fixedPort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
