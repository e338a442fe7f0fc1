import { afterAll, beforeEach, jest } from '@jest/globals';

// Read when a module of metrics is loaded: it has to be imported after this one, dynamically.
process.env['POWERTOOLS_METRICS_DISABLED'] = 'false';
process.env['POWERTOOLS_DEV'] = 'true';

/** What a test has the metrics say, one entry a line, as CloudWatch would read it. */
export function metricLines(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>);
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterAll(() => log.mockRestore());
  return lines;
}
