import { CloudWatchClient, GetMetricDataCommand, type MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { minutes } from '../../../../kernel/time.ts';

type Point = { at: number; value: number };

/** The latest of what Firehose measured of a delivery stream. Nothing if it measured nothing. */
export type DeliveryMetrics = {
  /** Seconds since Firehose got the oldest record that it has not written. */
  freshness?: Point;
  /** The share of its calls to S3 that succeeded. */
  success?: Point;
};

const metrics = {
  freshness: { MetricName: 'DeliveryToS3.DataFreshness', Stat: 'Maximum' },
  success: { MetricName: 'DeliveryToS3.Success', Stat: 'Average' },
} as const;

type Name = keyof typeof metrics;
const names = Object.keys(metrics) as Name[];

/** CloudWatch takes 500 queries a call. */
const streamsPerCall = 500 / names.length;
const periodSeconds = 60;
const lookback = 30 * minutes;

export const cloudWatchClient = (): CloudWatchClient =>
  new CloudWatchClient({
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
    }),
  });

/** https://docs.aws.amazon.com/firehose/latest/dev/cloudwatch-metrics.html, "Delivery to Amazon S3" */
export class DeliveryMetricsClient {
  readonly #client: CloudWatchClient;

  constructor(client: CloudWatchClient) {
    this.#client = client;
  }

  /** In the order of the delivery streams. */
  async latest(deliveryStreams: readonly string[], now: number): Promise<DeliveryMetrics[]> {
    const found: DeliveryMetrics[] = [];
    for (let at = 0; at < deliveryStreams.length; at += streamsPerCall)
      found.push(...(await this.#ask(deliveryStreams.slice(at, at + streamsPerCall), now)));
    return found;
  }

  async #ask(deliveryStreams: readonly string[], now: number): Promise<DeliveryMetrics[]> {
    const command = new GetMetricDataCommand({
      StartTime: new Date(now - lookback),
      EndTime: new Date(now),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: deliveryStreams.flatMap((Value, index) =>
        names.map((name) => ({
          Id: `${name}${index}`,
          MetricStat: {
            Metric: {
              Namespace: 'AWS/Firehose',
              MetricName: metrics[name].MetricName,
              Dimensions: [{ Name: 'DeliveryStreamName', Value }],
            },
            Period: periodSeconds,
            Stat: metrics[name].Stat,
          },
        })),
      ),
    });
    const { MetricDataResults = [] } = await this.#client.send(command);
    const byId = new Map(MetricDataResults.map((result) => [result.Id, result]));
    return deliveryStreams.map((_, index) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const point = latestOf(byId.get(`${name}${index}`));
          return point ? [[name, point]] : [];
        }),
      ),
    );
  }
}

function latestOf({ Timestamps, Values }: MetricDataResult = {}): Point | undefined {
  const [time, value] = [Timestamps?.[0], Values?.[0]];
  return time === undefined || value === undefined ? undefined : { at: time.getTime(), value };
}
