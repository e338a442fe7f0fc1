import type { Assumptions } from './assumptions.ts';
import { answerBytes } from './answers.ts';
import type { Row } from './confirmation-tables.ts';
import { confirmation, type Steps } from './confirmations.ts';
import { regions, type Region } from './prices.ts';
import { lambdaGigabyteSeconds, messageRequests } from './units.ts';
import { perMillion, priceOf, sum, times, type Usage } from './usage.ts';

/** What the model cannot read from the code. */
export const webAssumptions = {
  /** Milliseconds that a push to a push service takes longer than SNS's publish, with encryption and a new connection. */
  pushMilliseconds: 100,
  /** Bytes of a push: an encrypted body and its headers. */
  pushBytes: 1_500,
  /**
   * Files that the browser asks for when the app is opened: the service worker and `config.json`. Its own cache answers
   * with the others.
   */
  filesOfAnOpening: 2,
  /** Bytes of the answer 304 with the security headers. */
  unchangedBytes: 1_100,
  /** What a device loads once: the first load, icons and the service worker. */
  firstFiles: 10,
  firstBytes: 120_000,
};

const SETTINGS_BYTES = 1_500;

/** CloudFront asks S3 for files that it may not answer by itself. */
const file = (bytes: number): Usage => ({ cloudFrontRequests: 1, cloudFrontBytes: bytes, s3Reads: 1 });
const forwarded = (bytes: number): Usage => ({ cloudFrontRequests: 1, cloudFrontBytes: bytes });

/** Steps in which a confirmation on a web device differs from one on a phone with a native app. */
export function webDifference({ coldStarts, megabytes }: Assumptions): Steps {
  const { pushMilliseconds, pushBytes, filesOfAnOpening, unchangedBytes } = webAssumptions;
  return {
    'no push by SNS': times(-1, { snsRequests: messageRequests(1), snsPushes: 1 }),
    'web push': {
      lambdaGigabyteSeconds: lambdaGigabyteSeconds(pushMilliseconds, megabytes),
      transferBytes: pushBytes,
      // A Lambda reads the key when it starts.
      secretReads: coldStarts.share,
    },
    "opening of the app's files": times(filesOfAnOpening, file(unchangedBytes)),
    // The settings are in CloudFront's cache.
    'calls through CloudFront': sum([
      forwarded(answerBytes.fetch),
      forwarded(answerBytes.answer),
      forwarded(SETTINGS_BYTES),
    ]),
  };
}

/** USD per million confirmations on web devices. */
export function onWebDevices(assumed: Assumptions): Row[] {
  const steps = { 'with a native app': sum(Object.values(confirmation(assumed))), ...webDifference(assumed) };
  return rowsOf({ ...steps, 'on web devices': sum(Object.values(steps)) });
}

/** USD per million devices that load the app for the first time. */
export const firstLoads = (): Row[] =>
  rowsOf({
    'first load of a device': sum([
      times(webAssumptions.firstFiles, { cloudFrontRequests: 1, s3Reads: 1 }),
      { cloudFrontBytes: webAssumptions.firstBytes },
    ]),
  });

const rowsOf = (usages: Record<string, Usage>): Row[] =>
  Object.entries(usages).map(([what, usage]) => ({
    what,
    ...Object.fromEntries(
      regions.map((region: Region) => [region, perMillion(priceOf(usage, region))] as const),
    ),
  }));
