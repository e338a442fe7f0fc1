type Payload = Record<string, unknown> & { uid?: string; consumed?: number };

/** Sign-ins of the library `oidc-provider`, for as long as the stack runs. The members are few, and each leaves a few entries. */
export class MemoryAdapter {
  readonly #entries = new Map<string, Payload>();

  upsert(id: string, payload: Payload): void {
    this.#entries.set(id, payload);
  }

  find(id: string): Payload | undefined {
    return this.#entries.get(id);
  }

  findByUid(uid: string): Payload | undefined {
    return [...this.#entries.values()].find((entry) => entry.uid === uid);
  }

  consume(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) entry.consumed = Math.floor(Date.now() / 1_000);
  }

  destroy(id: string): void {
    this.#entries.delete(id);
  }

  revokeByGrantId(grantId: string): void {
    for (const [id, entry] of this.#entries) if (entry['grantId'] === grantId) this.#entries.delete(id);
  }
}
