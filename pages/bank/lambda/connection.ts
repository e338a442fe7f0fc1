import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url(), v.regex(/[^/]$/));

const client = v.object({ clientId: text, clientSecret: text });

const entries = {
  baseUrl: url,
  tokenUrl: url,
  /** The web app's address. Missing if the stage has none. */
  appUrl: v.optional(url),
  tenantId: v.pipe(v.string(), v.uuid()),
  tenantName: text,
};

/** The clients of the demo bank, by their use: everything; and the limit, with number matching. */
export const clientUses = ['bank', 'limits'] as const;
export type ClientUse = (typeof clientUses)[number];

/**
 * What the demo bank knows of the service, as it is kept in its secret. A connection without all clients is one that
 * `omi demo connect` has not finished.
 */
export const storedConnection = v.object({
  ...entries,
  clients: v.object({ bank: v.optional(client), limits: v.optional(client) }),
});
export type StoredConnection = v.InferOutput<typeof storedConnection>;

const connection = v.object({ ...entries, clients: v.object({ bank: client, limits: client }) });
export type Connection = v.InferOutput<typeof connection>;

/** @returns undefined if the text is no whole connection */
export function parseConnection(secret: string): Connection | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), connection), secret);
  return result.success ? result.output : undefined;
}
