/** The units that AWS bills for sizes in bytes. A KB has 1,024 bytes. */
export const kilobyte = 1024;
export const gigabyte = 1024 ** 3;

/** AWS rounds up to whole steps and bills at least one. */
const steps = (bytes: number, kilobytes: number): number =>
  Math.max(1, Math.ceil(bytes / (kilobytes * kilobyte)));

/** https://aws.amazon.com/api-gateway/pricing/: calls of an HTTP API are metered in 512 KB. */
export const httpApiCalls = (bytes: number): number => steps(bytes, 512);

/** https://aws.amazon.com/sqs/pricing/ and https://aws.amazon.com/sns/pricing/: a payload counts by 64 KB. */
export const messageRequests = (bytes: number): number => steps(bytes, 64);

/** https://aws.amazon.com/dynamodb/pricing/on-demand/: writes by 1 KB, strongly consistent reads by 4 KB. */
export const writeUnits = (bytes: number): number => steps(bytes, 1);
export const readUnits = (bytes: number): number => steps(bytes, 4);

/** The same source: a transaction doubles the units of each item. */
export const transactionWriteUnits = (items: readonly number[]): number =>
  items.reduce((total, bytes) => total + 2 * writeUnits(bytes), 0);

/** A query rounds up the sum of its items. A batch rounds up each item. */
export const queryReadUnits = (items: readonly number[]): number =>
  readUnits(items.reduce((total, bytes) => total + bytes, 0));
export const batchReadUnits = (items: readonly number[]): number =>
  items.reduce((total, bytes) => total + readUnits(bytes), 0);

/** https://aws.amazon.com/firehose/pricing/: a record is billed by 5 KB. */
export const firehoseBytes = (record: number): number => steps(record, 5) * 5 * kilobyte;

/** https://aws.amazon.com/kinesis/data-streams/pricing/: an on-demand stream bills a record by 1 KB. */
export const kinesisBytes = (record: number): number => steps(record, 1) * kilobyte;

/** https://aws.amazon.com/lambda/pricing/: whole milliseconds. */
export const lambdaGigabyteSeconds = (milliseconds: number, megabytes: number): number =>
  (Math.ceil(milliseconds) / 1_000) * (megabytes / 1_024);

const significantDigits = (value: number): number =>
  Math.abs(value)
    .toString()
    .replace(/[.]|e.*$/g, '')
    .replace(/^0+|0+$/g, '').length;

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(significantDigits(value) / 2) + 1 + Number(value < 0);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((total, entry) => total + 1 + valueBytes(entry), 3);
  if (typeof value === 'object' && value !== null) return 3 + membersBytes(value, 1);
  return value === undefined ? 0 : 1;
}

const membersBytes = (value: object, overhead: number): number =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .reduce((total, [name, member]) => total + Buffer.byteLength(name) + valueBytes(member) + overhead, 0);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html: names count, too. */
export const itemBytes = (item: object): number => membersBytes(item, 0);
