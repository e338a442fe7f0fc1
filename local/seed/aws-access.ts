/** Where an AWS is, and as whom it is called. */
export type Aws = {
  region: string;
  endpoints: Record<'dynamodb' | 'firehose' | 'kinesis' | 's3' | 'sts', string>;
};

/** Settings of an SDK client. A key that is an account's number calls as that account. */
export function accessAs(accessKeyId: string, { region, endpoints }: Aws, service: keyof Aws['endpoints']) {
  return { region, endpoint: endpoints[service], credentials: { accessKeyId, secretAccessKey: 'local' } };
}

type Client = { destroy(): void };

/** Ends the client when the work is done, well or not. */
export async function using<Used extends Client, Result>(
  client: Used,
  work: (client: Used) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
