import { join } from 'node:path';
import type { TableName } from '../../../core/aws/tables.ts';
import type { ServiceName } from '../aws/endpoint/fault-schema.ts';
import { removeFile, writePrivateFile } from '../files/private-file.ts';

/** The description of a running stack in `stack.json`. */
export type StackDescription = {
  baseUrl: string;
  /** The demo bank, a website with both ends of a confirmation. */
  siteUrl: string;
  /** Those that devices and clients may still name. */
  formerBaseUrls?: readonly string[] | undefined;
  /** The web app, a device in the browser. */
  appUrl: string;
  /** The page on which tenants see and steer their exports. */
  exportsUrl: string;
  /** The page of the help desk. */
  consoleUrl: string;
  /** Who signs its members in, and those of the exports page, by code with PKCE. */
  staff: {
    issuer: string;
    clientId: string;
    exportsClientId: string;
    authorizationUrl: string;
    tokenUrl: string;
    members: { memberId: string; name: string; groups: string[] }[];
  };
  /** The docs site, if it was built. */
  docsUrl: string;
  /** The viewer of requests: each call of the API, live. */
  requestsUrl: string;
  tokenUrl: string;
  issuer: string;
  tenants: { tenantId: string; name: string; clientId: string; clientSecret: string }[];
  exports: {
    tenantId: string;
    category: string;
    kind: 'stream' | 'bucket';
    streamName?: string;
    bucket?: string;
  }[];
  aws: { region: string; endpoints: Record<ServiceName, string> };
  tables: Record<TableName, string>;
  /** The push service of browsers: each endpoint is below. */
  webPushUrl: string;
  pushesUrl: string;
  /** Mails that the service sent. */
  mailsUrl: string;
  faultsUrl: string;
  pid: number;
};

export const stackFileIn = (directory: string): string => join(directory, 'stack.json');

export async function writeStackFile(directory: string, description: StackDescription): Promise<void> {
  await writePrivateFile(stackFileIn(directory), `${JSON.stringify(description, null, 2)}\n`);
}

export const removeStackFile = (directory: string): void => removeFile(stackFileIn(directory));
