import type { SecretBox } from '../aws/secret-box-client.ts';

/** More than a stage has receivers. All of them take 20 MB. */
const mostKept = 20_000;

/** Opens sealed secrets. Those that are used again stay in memory, so that KMS is asked once for each. */
export class OpenedSecrets {
  readonly #box: Pick<SecretBox, 'open'>;
  readonly #opened = new Map<string, string>();

  constructor(box: Pick<SecretBox, 'open'>) {
    this.#box = box;
  }

  /** The context is part of the key: a secret that was copied to another client stays closed there. */
  async open(sealed: string, context: Record<string, string>): Promise<string> {
    const key = JSON.stringify([sealed, context]);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opened = await this.#box.open(sealed, context);
    this.#opened.set(key, opened);
    for (const oldest of this.#opened.keys()) {
      if (this.#opened.size <= mostKept) break;
      this.#opened.delete(oldest);
    }
    return opened;
  }

  async openOnce(sealed: string, context: Record<string, string>): Promise<string> {
    return await this.#box.open(sealed, context);
  }
}
