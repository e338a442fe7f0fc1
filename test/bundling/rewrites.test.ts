import { globSync, readFileSync } from 'node:fs';
import { partition, setPartitionInfo, useDefaultPartitionInfo } from '@aws-sdk/core/client';
import { describe, expect, test } from '@jest/globals';
import { shortExceptions } from '../../bundling/rewrites/exceptions.ts';
import { shortPartitions } from '../../bundling/rewrites/partitions.ts';
import { shortSchemas } from '../../bundling/rewrites/schemas.ts';

describe('regions', () => {
  const [file = ''] = globSync(
    'node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js',
  );
  const original = readFileSync(file, 'utf8');
  const infoOf = (code: string) =>
    JSON.parse(code.slice(code.indexOf('{')).replace(/;\s*$/, '')) as Parameters<typeof setPartitionInfo>[0];
  const regions = [
    ...infoOf(original).partitions.flatMap((one) => Object.keys(one.regions)),
    'eu-central-9',
    'cn-east-7',
    'us-gov-north-1',
    'nowhere',
  ];

  test('are in the same partition without their descriptions', () => {
    const partitionsOf = (code: string) => {
      setPartitionInfo(infoOf(code));
      return regions.map((region) => ({ region, ...partition(region), description: undefined }));
    };
    const short = shortPartitions(original);
    expect(short.length).toBeLessThan(original.length / 3);
    expect(partitionsOf(short)).toEqual(partitionsOf(original));
    useDefaultPartitionInfo();
  });
});

describe('a rewrite refuses a text that it does not know', () => {
  test.each([
    ['exceptions', () => shortExceptions('export class Other {}', '/client-dynamodb/')],
    ['schemas', () => shortSchemas('export var Other = [];', '/client-kinesis/')],
    ['schemas with errors to leave out', () => shortSchemas('const _A = "a";\n[_A];', '/client-sns/')],
    ['partitions', () => shortPartitions('export const other = {};')],
  ])('%s', (_, rewrite) => {
    expect(rewrite).toThrow(/it (has|does)|is not in it/);
  });
});
