type Partition = { regionRegex: string; regions: Record<string, Record<string, unknown>> };

const declaration = 'export const partitionsInfo = ';

/**
 * The SDK's list of regions with their English names. It is asked for a region's partition, which the patterns beside
 * the list tell as well; the regions that stay are those which no pattern, or another partition's, would take.
 */
export function shortPartitions(text: string): string {
  if (!text.startsWith(declaration)) throw new Error(`it does not begin with ${declaration}`);
  const info = JSON.parse(text.slice(declaration.length).replace(/;\s*$/, '')) as { partitions: Partition[] };
  const owner = (region: string) =>
    info.partitions.find(({ regionRegex }) => new RegExp(regionRegex).test(region));
  const partitions = info.partitions.map((partition) => ({
    ...partition,
    regions: Object.fromEntries(
      Object.entries(partition.regions).flatMap(([region, data]) =>
        owner(region) === partition && isDescription(data) ? [] : [[region, data] as const],
      ),
    ),
  }));
  return `${declaration}${JSON.stringify({ ...info, partitions })};`;
}

/** No rule of an endpoint asks for a region's description. */
const isDescription = (data: object): boolean => Object.keys(data).every((name) => name === 'description');
