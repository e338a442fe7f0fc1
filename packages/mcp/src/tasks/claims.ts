import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Which process waits for the answer to a question, and carries it out. Several hosts may use the same folder. */
export class Claims {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns false if another living process has the task */
  async take(taskId: string): Promise<boolean> {
    try {
      await writeFile(this.#file(taskId), String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    const owner = Number(await readFile(this.#file(taskId), 'utf8').catch(() => ''));
    // In a container, the process before this one often had the same id.
    if (owner !== process.pid && owner > 0 && isAlive(owner)) return false;
    await rm(this.#file(taskId), { force: true });
    return await this.take(taskId);
  }

  async release(taskId: string): Promise<void> {
    await rm(this.#file(taskId), { force: true });
  }

  #file(taskId: string): string {
    return join(this.#folder, `${taskId}.owner`);
  }
}
