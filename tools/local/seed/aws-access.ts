/** The endpoints of the local AWS. */
export type Aws = {
  region: string;
  endpoints: Record<'dynamodb' | 'firehose' | 'kinesis' | 's3' | 'sts', string>;
};

/** The settings of an SDK client. An account number as access key calls as that account. */
export function accessAs<Service extends string>(
  accessKeyId: string,
  { region, endpoints }: { region: string; endpoints: Record<Service, string> },
  service: Service,
) {
  return { region, endpoint: endpoints[service], credentials: { accessKeyId, secretAccessKey: 'local' } };
}

type Client = { destroy(): void };

/** Destroys the client after the work, also after a failure. */
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
