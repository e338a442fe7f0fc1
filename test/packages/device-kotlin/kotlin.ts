/** Compiles the package with the program of the tests and the README's example, and runs both. */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { javaCommand } from '../../../tools/local/java/java.ts';

const packageFolder = 'packages/device-kotlin';
const here = 'test/packages/device-kotlin';
const jars = resolve('node_modules/kotlin-compiler/lib');
const library = join(jars, 'kotlin-stdlib.jar');
/** For programs that end soon, the fast compiler and the simple collector take half of the time. */
const machine = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const compiler = [
  ...machine,
  ...['-cp', join(jars, 'kotlin-preloader.jar'), 'org.jetbrains.kotlin.preloading.Preloader'],
  ...['-cp', join(jars, 'kotlin-compiler.jar'), 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler'],
];

async function exampleOfReadme(): Promise<string> {
  const [, example] =
    /```kotlin\n(import omi\.device.*?)```/s.exec(await readFile(`${packageFolder}/README.md`, 'utf8')) ?? [];
  if (example === undefined) throw new Error('The README has no example');
  return example;
}

/** Warnings are errors. */
async function compile(folder: string, ...sources: string[]): Promise<void> {
  const options = ['-no-stdlib', '-no-reflect', '-jvm-target', '17', '-Werror', '-cp', library, '-d', folder];
  await promisify(execFile)(javaCommand(), [...compiler, ...options, ...sources], { cwd: resolve('.') });
}

export class CompiledPackage {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<CompiledPackage> {
    const folder = await mkdtemp(join(tmpdir(), 'omi-kotlin-'));
    const example = join(folder, 'Example.kt');
    await writeFile(example, await exampleOfReadme());
    const stubs = [`${here}/android-stubs`, `${packageFolder}/android`];
    await compile(folder, `${packageFolder}/src/main/kotlin`, `${here}/program`, ...stubs, example);
    return new CompiledPackage(folder);
  }

  start(mainClass: string, ...args: string[]): ChildProcessWithoutNullStreams {
    return spawn(javaCommand(), [...this.#options, mainClass, ...args]);
  }

  /** For a shell. */
  command(mainClass: string): string {
    return [javaCommand(), ...this.#options, mainClass].map((part) => `'${part}'`).join(' ');
  }

  get #options(): string[] {
    return [...machine, '-Dfile.encoding=UTF-8', '-Xmx256m', '-cp', `${this.#folder}:${library}`];
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}

export type KotlinError = {
  code: string;
  status?: number;
  message: string;
  serverTime?: string;
  retryAfter?: number;
  detail?: string;
};
export type Outcome = { result?: unknown; error?: KotlinError };

/** The program of the tests, which does one task after the other. */
export class KotlinProgram {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;
  readonly #ended: Promise<unknown>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(compiled: CompiledPackage) {
    this.#process = compiled.start('omi.device.MainKt');
    this.#ended = once(this.#process, 'close');
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout });
  }

  async run(task: string, given: object = {}): Promise<Outcome> {
    const next = this.#last.then(async () => await this.#exchange(JSON.stringify({ task, ...given })));
    this.#last = next.catch(() => undefined);
    return await next;
  }

  /** The result of a task that succeeds. */
  async result<Result = unknown>(task: string, given: object = {}): Promise<Result> {
    const { result, error } = await this.run(task, given);
    if (error) throw new Error(`${task} failed with ${error.code}: ${error.message}`);
    return result as Result;
  }

  async codeOf(task: string, given: object = {}): Promise<string> {
    return (await this.run(task, given)).error?.code ?? 'accepted';
  }

  async #exchange(line: string): Promise<Outcome> {
    const answered = once(this.#lines, 'line') as Promise<[string]>;
    this.#process.stdin.write(`${line}\n`);
    const ended = this.#ended.then(() => {
      throw new Error('The program has ended');
    });
    const [answer] = await Promise.race([answered, ended]);
    return JSON.parse(answer) as Outcome;
  }

  async stop(): Promise<void> {
    this.#process.stdin.end();
    await this.#ended;
  }
}
