import { type CloudFrontClient, paginateListDistributions } from '@aws-sdk/client-cloudfront';

export type Distribution = { host: string; aliases: readonly string[] };

/** The account's distributions of CloudFront. */
export async function distributionsIn(client: CloudFrontClient): Promise<Distribution[]> {
  const found: Distribution[] = [];
  for await (const { DistributionList } of paginateListDistributions({ client }, {}))
    for (const { DomainName = '', Aliases } of DistributionList?.Items ?? [])
      found.push({ host: DomainName, aliases: Aliases?.Items ?? [] });
  return found;
}
