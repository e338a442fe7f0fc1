import { join } from 'node:path';
import { patientLimits } from '../../../core/tenants/patient-limits.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { type WebsiteAccess, websiteVariables } from '../../../client/website-variables.ts';
import { removeFile, writePrivateFile } from '../files/private-file.ts';
import type { StackDescription } from './stack-file.ts';

export const websiteFileIn = (directory: string): string => join(directory, 'website.env');

const header = `# How a website of yours calls the local stack. "npm start" writes this file.
# Read it with: node --env-file, docker run --env-file, dotenv, or in a shell: set -a; . ./website.env
# Its tenant has loose limits: after "This was not me" nobody asks the user for ${patientLimits.notMePauseSeconds} s. A tenant's default is ${defaultSettings.pushLimits.notMePauseSeconds} s.
`;

/**
 * Without quotes, which Docker takes for part of a value. No value has a character that another reader treats specially.
 */
const contentOf = (access: WebsiteAccess): string =>
  `${header}${Object.entries(websiteVariables(access))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}`;

/** Writes the variables of the tenant with patient limits: whoever writes a website asks often. */
export async function writeWebsiteFile(
  directory: string,
  { baseUrl, tokenUrl, tenants: [, , tenant] }: StackDescription,
): Promise<void> {
  if (!tenant) throw new Error('The stack has no tenant');
  await writePrivateFile(websiteFileIn(directory), contentOf({ baseUrl, tokenUrl, ...tenant }));
}

export const removeWebsiteFile = (directory: string): void => removeFile(websiteFileIn(directory));
