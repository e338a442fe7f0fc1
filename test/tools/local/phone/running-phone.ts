import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../../support/waiting.ts';

/** `npm run phone` as a process, at whose input somebody types. */
export class RunningPhone implements AsyncDisposable {
  /** Everything that it has written. */
  output = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown[]>;
  #read = 0;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, ['tools/local/phone/phone.ts', ...args], { stdio: 'pipe' });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#exited = once(this.#child, 'close');
  }

  /** Waits until the phone says it, after what a test has waited for before. */
  async says(words: string | RegExp): Promise<void> {
    const found = async () => {
      const rest = this.output.slice(this.#read);
      const at = rest.search(words);
      return await Promise.resolve(at < 0 ? undefined : at + (rest.slice(at).match(words)?.[0].length ?? 0));
    };
    const what = `${String(words)}, after:\n${this.output}\n`;
    this.#read += await eventually(what, found);
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  async exitCode(): Promise<unknown> {
    return (await this.#exited)[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill();
    await this.#exited;
  }
}

/** A phone that ends by itself, without anything at its input. */
export async function phoneWithoutInput(...args: string[]) {
  const child = spawn(process.execPath, ['tools/local/phone/phone.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
