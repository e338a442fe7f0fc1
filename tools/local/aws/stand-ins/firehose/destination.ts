import { asArray, asObject, type JsonObject } from '../../protocols/json.ts';
import { invalidArgument } from './errors.ts';
import { checkedPrefixes, type Prefixes } from './prefix.ts';

/** The settings of a stream's S3 destination that deliveries need. */
export type Destination = Prefixes & {
  bucket: string;
  /** The role that Firehose assumes. */
  roleArn: string;
  bufferBytes: number;
  bufferSeconds: number;
  /** Follows each record; may be empty. */
  delimiter: string;
  isCompressed: boolean;
  fileExtension: string;
  /** True if errors are logged. */
  isLogged: boolean;
  /** The key that encrypts the objects. */
  kmsKeyArn?: string;
};

const mebibyteBytes = 1_048_576;
const defaultBuffer = { SizeInMBs: 5, IntervalInSeconds: 300 };

/** Validates `ExtendedS3DestinationConfiguration`. */
export function readDestination(configuration: JsonObject): Destination {
  const bucket = /^arn:aws[^:]*:s3:::(.+)$/.exec(text(configuration['BucketARN']) ?? '')?.[1];
  if (bucket === undefined) throw invalidArgument('BucketARN is not the ARN of a bucket.');
  const roleArn = text(configuration['RoleARN']) ?? '';
  if (!/^arn:aws[^:]*:iam::\d{12}:role\/./.test(roleArn)) {
    throw invalidArgument('RoleARN is not the ARN of a role.');
  }
  const isCompressed = compression(configuration);
  const key = asObject(asObject(configuration['EncryptionConfiguration'])['KMSEncryptionConfig'])[
    'AWSKMSKeyARN'
  ];
  return {
    bucket,
    roleArn,
    ...checkedPrefixes(text(configuration['Prefix']), text(configuration['ErrorOutputPrefix'])),
    ...buffering({ ...defaultBuffer, ...asObject(configuration['BufferingHints']) }),
    delimiter: delimiter(asObject(configuration['ProcessingConfiguration'])),
    isCompressed,
    isLogged: asObject(configuration['CloudWatchLoggingOptions'])['Enabled'] === true,
    fileExtension: text(configuration['FileExtension']) ?? (isCompressed ? '.gz' : ''),
    ...(typeof key === 'string' ? { kmsKeyArn: key } : {}),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function compression({ CompressionFormat: format = 'UNCOMPRESSED' }: JsonObject): boolean {
  if (format !== 'UNCOMPRESSED' && format !== 'GZIP')
    throw invalidArgument('This CompressionFormat is not supported here.');
  return format === 'GZIP';
}

function buffering(hints: JsonObject): { bufferBytes: number; bufferSeconds: number } {
  const [size, seconds] = [Number(hints['SizeInMBs']), Number(hints['IntervalInSeconds'])];
  if (!(size >= 1 && size <= 128)) throw invalidArgument('SizeInMBs must be between 1 and 128.');
  if (!(seconds >= 0 && seconds <= 900))
    throw invalidArgument('IntervalInSeconds must be between 0 and 900.');
  return { bufferBytes: size * mebibyteBytes, bufferSeconds: seconds };
}

/** The only supported processor. The API writes a line end as a backslash and an n. */
function delimiter(processing: JsonObject): string {
  if (processing['Enabled'] !== true) return '';
  const [processor, ...others] = asArray(processing['Processors']).map(asObject);
  if (processor?.['Type'] !== 'AppendDelimiterToRecord' || others.length > 0) {
    throw invalidArgument('The only processor that is supported here is AppendDelimiterToRecord.');
  }
  const parameters = asArray(processor['Parameters']).map(asObject);
  const value = parameters.find(({ ParameterName }) => ParameterName === 'Delimiter')?.['ParameterValue'];
  return (text(value) ?? '\\n').replaceAll('\\n', '\n');
}
