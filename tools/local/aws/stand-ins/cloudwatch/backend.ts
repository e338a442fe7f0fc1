import type { Backend } from '../../endpoint/http.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, jsonResponse, type JsonObject, parseJson } from '../../protocols/json.ts';

export type Point = { at: number; value: number };

/** The latest point of a metric with these dimensions, by their names. */
export type Measure = (metric: string, dimensions: Record<string, string>) => Point | undefined;

/**
 * CloudWatch with the metrics of other services: only the latest point of each, at its exact time. CloudWatch has one for each
 * minute, for which nobody wants to wait here.
 */
export function createCloudWatch(measures: Record<string, Measure>): Backend {
  return (request) => {
    const { operation, input } = parseJson(request);
    if (operation === 'DescribeAlarms') return jsonResponse(200, { MetricAlarms: [] });
    if (operation !== 'GetMetricData')
      throw new AwsServiceError(400, 'UnknownOperationException', `There is no operation ${operation}.`);
    const start = Number(input['StartTime']) * 1_000;
    const results = asArray(input['MetricDataQueries'])
      .map(asObject)
      .map((query) => answer(measures, query, start));
    return jsonResponse(200, { MetricDataResults: results, Messages: [] });
  };
}

function answer(measures: Record<string, Measure>, query: JsonObject, start: number): JsonObject {
  const metric = asObject(asObject(query['MetricStat'])['Metric']);
  const dimensions = Object.fromEntries(
    asArray(metric['Dimensions'])
      .map(asObject)
      .map(({ Name, Value }) => [String(Name), String(Value)]),
  );
  const point = measures[String(metric['Namespace'])]?.(String(metric['MetricName']), dimensions);
  const points = point && point.at >= start ? [point] : [];
  return {
    Id: query['Id'],
    Label: metric['MetricName'],
    StatusCode: 'Complete',
    Timestamps: points.map(({ at }) => at / 1_000),
    Values: points.map(({ value }) => value),
  };
}
