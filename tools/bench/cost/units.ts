/** The units that AWS bills for sizes in bytes. It rounds up to whole steps and bills at least one. A KB has 1,024 bytes. */
export const kilobyte = 1024;
export const steps = (bytes: number, kilobytes: number): number =>
  Math.max(1, Math.ceil(bytes / (kilobytes * kilobyte)));

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** https://aws.amazon.com/dynamodb/pricing/on-demand/: writes by 1 KB, doubled in a transaction; consistent reads by 4 KB. */
export const writeUnits = (bytes: number): number => steps(bytes, 1);
export const transactionWriteUnits = (items: readonly number[]): number => 2 * sumOf(items.map(writeUnits));
/** A query rounds up the sum of its items. A batch rounds up each item. */
export const queryReadUnits = (items: readonly number[]): number => steps(sumOf(items), 4);
export const batchReadUnits = (items: readonly number[]): number =>
  sumOf(items.map((bytes) => steps(bytes, 4)));

/** https://aws.amazon.com/firehose/pricing/ and https://aws.amazon.com/kinesis/data-streams/pricing/ (on demand). */
export const firehoseBytes = (record: number): number => steps(record, 5) * 5 * kilobyte;
export const kinesisBytes = (record: number): number => steps(record, 1) * kilobyte;

const numberBytes = (value: number): number => {
  const digits = String(Math.abs(value))
    .replace(/[.]|e.*$/g, '')
    .replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + Number(value < 0);
};

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return 3 + sumOf(value.map((entry) => 1 + valueBytes(entry)));
  return typeof value === 'object' && value !== null ? 3 + membersBytes(value, 1) : 1;
}

const membersBytes = (value: object, overhead: number): number =>
  sumOf(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => Buffer.byteLength(name) + valueBytes(member) + overhead),
  );

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html: names count, too. */
export const itemBytes = (item: object): number => membersBytes(item, 0);
