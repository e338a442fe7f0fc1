import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

type Session = { userId: string; transport: StreamableHTTPServerTransport; usedAt: number };

const idleMs = 60 * 60 * 1000;
const mostPerUser = 20;

/** The sessions of all users. A session is of the user who opened it: for others it does not exist. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #serverFor: (userId: string) => McpServer;

  constructor(serverFor: (userId: string) => McpServer) {
    this.#serverFor = serverFor;
  }

  find(userId: string, sessionId: string): StreamableHTTPServerTransport | undefined {
    const session = this.#sessions.get(sessionId);
    if (session?.userId !== userId) return undefined;
    session.usedAt = Date.now();
    return session.transport;
  }

  /** @returns undefined if the request does not begin a session */
  async open(userId: string, body: unknown): Promise<StreamableHTTPServerTransport | undefined> {
    if (!isInitializeRequest(body)) return undefined;
    await this.#makeRoom(userId);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { userId, transport, usedAt: Date.now() }),
    });
    await this.#serverFor(userId).connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    return transport;
  }

  async close(): Promise<void> {
    for (const { transport } of [...this.#sessions.values()]) await transport.close();
  }

  /** Ends what was not used for long, and of a user with many sessions the one that was not used for longest. */
  async #makeRoom(userId: string): Promise<void> {
    const before = Date.now() - idleMs;
    const own = [...this.#sessions.values()]
      .filter((session) => session.userId === userId)
      .toSorted((one, other) => other.usedAt - one.usedAt);
    const idle = [...this.#sessions.values()].filter(({ usedAt }) => usedAt < before);
    for (const { transport } of new Set([...idle, ...own.slice(mostPerUser - 1)])) await transport.close();
  }
}
