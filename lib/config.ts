import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';
import { type TableName, tables } from '../core/aws/tables.ts';
import { mailAddress } from '../core/export/notices/contact.ts';
import { routeKeyOf, routes } from '../lambdas/routes.ts';
import {
  baseUrl,
  count,
  globalCertificateArn,
  httpsUrl,
  origin,
  pushContact,
  section,
  text,
} from './config-schemas.ts';
import { copiesFault } from './copies-config.ts';
import { formerBaseUrlsFault } from './former-base-urls.ts';
import { exportsPage, exportsPageFault } from './exports-page-config.ts';
import { consoleFault, consolePage, staff } from './staff-config.ts';
import { webApp, webAppFault } from './web-app-config.ts';

const stageNames = ['dev', 'staging', 'production'] as const;
export type StageName = (typeof stageNames)[number];

const throttle = section({ rate: count, burst: count });
const retentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const secretName = v.pipe(v.string(), v.regex(/^[\w/+=.@-]{1,512}$/, 'expected the name of a secret'));

/** A secret of Secrets Manager. A deployment with another `revision` reads the secret again. */
const secret = section({ secretName, revision: v.optional(text, '1') });

const identity = v.variant('kind', [
  section({
    kind: v.literal('cognito'),
    /** Prefix of the token endpoint's host name, unique in the region. Default: stack name and account. */
    domainPrefix: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/))),
  }),
  section({
    kind: v.literal('oidc'),
    issuer: v.pipe(v.string(), v.url(), v.startsWith('https://')),
    /** Required `aud` of the tokens. Set it if the issuer sets one. */
    audience: v.optional(text),
    /** Claim that contains the tenant's id. Without it the client determines the tenant. */
    tenantClaim: v.optional(text),
    tokenUrl: v.optional(httpsUrl),
  }),
]);

/** The smallest limit of AWS WAF is 10. */
const requests = v.pipe(count, v.minValue(10));

/** CloudFront in front of the API, with limits for each address. It serves `api.domain`, which must be set. */
const edge = section({
  /** For the API's domain. */
  certificateArn: globalCertificateArn,
  /** From one address. Many phones may share an address, and a website calls from few addresses. */
  requestsPerFiveMinutes: v.optional(
    section({ devices: v.optional(requests, 3_000), all: v.optional(requests, 300_000) }),
    {},
  ),
  /** Rejects calls that bypass CloudFront. Set `false` while the DNS record does not point to CloudFront yet. */
  required: v.optional(v.boolean(), true),
  /** The next number renews the secrets between CloudFront, its web ACL and the API. */
  secretRevision: v.optional(v.pipe(count, v.minValue(1)), 1),
});

/** For devices in browsers. The stack makes the VAPID key. */
const webPush = section({
  /** Another one makes another VAPID key. Web devices get no pushes until their app was opened, so do it only after a leak. */
  keyRevision: v.optional(v.pipe(v.string(), v.regex(/^\w+$/, 'expected letters and digits')), '1'),
  /**
   * `mailto:` or `https:` URL at which the operators of push services reach the operator of the stage; Apple's rejects pushes
   * without a valid one. Default: the API's URL.
   */
  contact: v.optional(pushContact),
  /** Hosts of push services besides those of Chrome, Firefox, Safari and Edge. `*.` stands for any subdomain. */
  allowedHosts: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.regex(
          /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/,
          'expected a host name like push.example.com or *.push.example.com',
        ),
        v.check(
          (host) => host.replace('*.', '').split('.').length > 1,
          'expected more than a top-level domain',
        ),
      ),
    ),
    [],
  ),
});

const tableNames = Object.keys(tables) as TableName[];
const restoredTable = v.pipe(v.string(), v.regex(/^[\w.-]{3,255}$/, 'expected the name of a table'));

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html */
const warmThroughput = section({
  reads: v.optional(v.pipe(count, v.minValue(12_000))),
  writes: v.optional(v.pipe(count, v.minValue(4_000))),
});

const account = v.pipe(v.string(), v.regex(/^\d{12}$/, 'expected the 12 digits of an AWS account'));
const region = v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'expected a region like eu-central-1'));

/**
 * Copies of the tables in a second region, from which the stage can be restored if it loses its own: docs/operations/restore.md.
 * Each is a copy of everything, so the cost grows with the size of the tables and the number of copies.
 */
const copies = section({
  region,
  /** Hours from one copy to the next. AWS Backup has no smaller step. */
  everyHours: v.optional(
    v.picklist([1, 2, 3, 4, 6, 8, 12, 24], 'expected 1, 2, 3, 4, 6, 8, 12 or 24 hours'),
    1,
  ),
  /** Days for which the second region keeps a copy. */
  keepDays: v.optional(
    v.pipe(count, v.minValue(2, 'expected at least 2 days, so that a failed copy can be repeated')),
    3,
  ),
});
const keyId = v.pipe(v.string(), v.regex(/^mrk-[0-9a-f]{32}$/, 'expected the id of a multi-Region key'));

/** Names of KMS keys that sign. The first one signs, and the public halves of all are published. A new name makes a new key. */
const keyNames = v.pipe(
  v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{1,32}$/, 'expected letters and digits'))),
  v.minLength(1, 'expected at least 1 key'),
  v.maxLength(4, 'expected at most 4 keys'),
  v.check((names) => new Set(names).size === names.length, 'expected different names'),
  // The first schema checked that there is one.
  v.transform((names) => names as [string, ...string[]]),
);

/**
 * The demo bank, in a stack of its own. Everyone who knows its address can sign in there as a demo user without a password.
 * So a stage for production needs another word than `true`.
 */
const demo = (production: boolean) =>
  v.optional(
    v.pipe(
      v.union([v.boolean(), v.literal('in-production')], 'expected true, false or "in-production"'),
      v.check(
        (value) => !production || value !== true,
        'everyone who knows the address of the demo bank can sign in without a password. If you want it beside your tenants in production, set "in-production"',
      ),
      v.transform((value) => value !== false),
    ),
    false,
  );

/** The settings of a stage in `cdk.json`, with their defaults. */
const stageSettings = (production: boolean) =>
  section({
    /** Where the stage belongs. `cdk deploy` and `omi preflight` refuse every other account. Default: that of the credentials. */
    env: v.optional(section({ account: v.exactOptional(account), region: v.exactOptional(region) }), {}),
    /** The app's universal link, which the QR code of an enrolment opens. Default: the web app's address, else the API's. */
    appLink: v.optional(httpsUrl),
    webApp: v.optional(webApp, {}),
    exportsPage: v.optional(exportsPage, {}),
    /** The help desk's page. */
    console: v.optional(consolePage, {}),
    /** Who signs the members of the help desk in. */
    staff: v.optional(staff, { kind: 'pool' }),
    data: v.optional(
      section({
        /** Keeps data when the stack is deleted, and protects the tables and the user pool from deletion. */
        retain: v.optional(v.boolean(), production),
        /** Encrypts the tables with the operator's own key, by which access can be audited and revoked. */
        customerManagedKey: v.optional(v.boolean(), false),
        /**
         * Units a second that tables and their indexes take from the first moment, beyond the 12,000 reads and 4,000 writes of a new
         * one. AWS does not take less again.
         */
        warmThroughput: v.optional(
          v.partial(v.strictObject(v.entriesFromList(tableNames, warmThroughput))),
          {},
        ),
        /** Tables that `omi restore` made, in place of those of the stack. It prints their names. */
        tables: v.optional(v.partial(v.strictObject(v.entriesFromList(tableNames, restoredTable))), {}),
        copies: v.optional(copies),
        /** Replicas of the keys of a lost region, in place of new keys. `omi restore --lost-region` prints them. */
        keys: v.optional(v.record(text, keyId), {}),
      }),
      {},
    ),
    /**
     * How calls move to a new version of a Lambda. `canary`: a tenth of them for 5 minutes, then all; if the new version
     * fails, it rolls back. `all-at-once`, or `unguarded`: without a rollback.
     */
    rollout: v.optional(
      v.picklist(['all-at-once', 'canary', 'unguarded']),
      production ? 'canary' : 'all-at-once',
    ),
    logRetentionDays: v.optional(v.picklist(retentions), production ? 90 : 14),
    identity: v.optional(identity, { kind: 'cognito' }),
    api: v.optional(
      section({
        /** Origins of browser apps that call the API directly. If empty, answers have no CORS headers. */
        corsOrigins: v.optional(v.array(origin), []),
        /** Requests per second of all callers together: API Gateway has no limit for each caller. */
        throttle: v.optional(throttle, { rate: 1000, burst: 2000 }),
        /** The same by route key. All callers share the limit, so one caller can lock the others out. */
        routeThrottles: v.optional(v.record(v.picklist(routes.map(routeKeyOf)), throttle), {}),
        /**
         * Who answers 401 to an invalid token: the endpoint's Lambda, or API Gateway. `gateway` saves a Lambda call. It works
         * only if API Gateway turns the authorizer's answer into a 401, which `omi doctor` checks.
         */
        unauthorizedBy: v.optional(v.picklist(['gateway', 'lambda']), 'lambda'),
        domain: v.optional(section({ name: text, certificateArn: v.pipe(v.string(), v.startsWith('arn:')) })),
        /**
         * Base URLs that the stage had before, which enrolled devices still name. While API Gateway's own is among them, it goes on
         * answering.
         */
        formerBaseUrls: v.optional(v.array(baseUrl), []),
        edge: v.optional(edge),
      }),
      {},
    ),
    webPush: v.optional(webPush, {}),
    /** Mails to the contacts of tenants. Without an address the stage sends none. */
    notices: v.optional(
      section({
        /** SES must have verified this address, or its domain, in the stage's region. */
        mailFrom: v.optional(v.pipe(mailAddress, v.toLowerCase())),
      }),
      {},
    ),
    push: v.optional(
      section({
        fcm: v.optional(secret),
        apns: v.optional(secret),
        apnsSandbox: v.optional(secret),
      }),
      {},
    ),
    /** Those that sign tokens: docs/operations/rotate.md says how to rotate them. */
    signingKeys: v.optional(keyNames, ['1']),
    /** Those that sign receipts of enrolments, likewise. */
    receiptKeys: v.optional(keyNames, ['1']),
    /** Those that sign signals, likewise. */
    signalKeys: v.optional(keyNames, ['1']),
    /** Those that sign checkpoints of logs, likewise. */
    logKeys: v.optional(keyNames, ['1']),
    /** `-c demo=…` replaces it for one command. */
    demo: demo(production),
  });

/** The settings of a stage, as an operator writes them. */
export type StageSettings = v.InferInput<ReturnType<typeof stageSettings>>;

export type StageConfig = v.InferOutput<ReturnType<typeof stageSettings>> & { stage: StageName };

const fail = (what: string): never => {
  throw new Error(what);
};

function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}

/** @throws {Error} if there is no such stage: a misspelt name would create a second service */
export const stageNamed = (name: unknown): StageName =>
  stageNames.find((known) => known === name) ??
  fail(`Unknown stage ${JSON.stringify(name)}: expected one of ${stageNames.join(', ')}.`);

/** Where the settings of the stages are. */
const place = 'cdk.json, under context.stages';

/**
 * The settings of one of several stages.
 *
 * @throws {Error} if there are none
 */
export function settingsOf(stages: unknown, stage: StageName): unknown {
  const result = v.safeParse(v.record(v.picklist(stageNames), v.unknown()), stages);
  if (!result.success) return fail(`${place}: ${result.issues.map(describe).join('; ')}.`);
  return result.output[stage] ?? fail(`Stage ${stage}: there are no settings in ${place}.`);
}

/**
 * Checks the settings of a stage, and adds the defaults.
 *
 * @throws {Error} that names each wrong setting
 */
export function checkSettings(stage: StageName, settings: unknown): StageConfig {
  const result = v.safeParse(stageSettings(stage === 'production'), settings);
  if (!result.success) return fail(`Stage ${stage}: ${result.issues.map(describe).join('; ')}.`);
  const { edge, domain } = result.output.api;
  if (edge && !domain) {
    fail(
      `Stage ${stage}: api.edge requires api.domain, because devices sign that name and CloudFront's own names accept TLS 1.0.`,
    );
  }
  const lostFault = copiesFault(result.output);
  const formerFault = formerBaseUrlsFault(result.output.api);
  const { webApp: webAppConfig, exportsPage: page, identity: issuer } = result.output;
  if (issuer.kind === 'oidc' && domain && issuer.issuer.replace(/\/$/, '') === `https://${domain.name}`) {
    fail(
      `Stage ${stage}: identity.issuer must not be the service itself. Its tokens say what a user approved, and open no endpoint.`,
    );
  }
  const fault = webAppFault(webAppConfig, { apiDomain: domain?.name });
  const pageFault = exportsPageFault(page, [
    domain?.name,
    webAppConfig.enabled ? webAppConfig.domain?.name : undefined,
  ]);
  const deskFault = consoleFault(result.output.console, [
    domain?.name,
    webAppConfig.enabled ? webAppConfig.domain?.name : undefined,
    page.enabled ? page.domain?.name : undefined,
  ]);
  for (const one of [lostFault, formerFault, fault, pageFault, deskFault])
    if (one !== undefined) fail(`Stage ${stage}: ${one}.`);
  return { stage, ...result.output };
}
