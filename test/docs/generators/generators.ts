/** The generators of clients that npm has, and how a website uses what they make. */

export type Generator = {
  /** Also the program that npm installs, if `run` does not name another. */
  name: string;
  packages: readonly string[];
  /** Each of the two documents has its generators. */
  reads: 'openapi.yaml' | 'openapi-3.0.yaml';
  /** @param document the path of the OpenAPI document */
  run: (document: string) => string[];
  /** Makes a QR code for the user `userId`, and lists the user's devices. Prints both. */
  program: string;
};

const given = `const { BASE_URL: baseUrl = '', TOKEN: token = '', USER_ID: userId = '' } = process.env;
const headers = { authorization: \`Bearer \${token}\` };
`;

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    reads: 'openapi.yaml',
    run: (document) => [document, '--output', 'made/api.ts'],
    program: `import createClient from 'openapi-fetch';
import type { paths } from './made/api.ts';
${given}
const client = createClient<paths>({ baseUrl, headers });
const { data: enrolment } = await client.POST('/omi/enrol/qr', { body: { userId } });
const { data: listed } = await client.GET('/omi/users/{userId}/devices', { params: { path: { userId } } });
console.log(JSON.stringify({ qr: enrolment?.qr, devices: listed?.devices }));`,
  },
  {
    name: 'openapi-ts',
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    reads: 'openapi.yaml',
    run: (document) => ['--input', document, '--output', 'made', '--no-log-file', '--silent'],
    program: `import { client } from './made/client.gen.ts';
import { listDevices, startEnrolment } from './made/index.ts';
${given}
client.setConfig({ baseUrl, headers });
const { data: enrolment } = await startEnrolment({ body: { userId } });
const { data: listed } = await listDevices({ path: { userId } });
console.log(JSON.stringify({ qr: enrolment?.qr, devices: listed?.devices }));`,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0'],
    reads: 'openapi.yaml',
    run: (document) => ['--input', document, '--output', 'made/api.ts', '--client', 'fetch'],
    program: `import { listDevices, startEnrolment } from './made/api.ts';
${given}
// The functions call relative addresses, as in a page.
const { fetch } = globalThis;
globalThis.fetch = async (path, init) => await fetch(\`\${baseUrl}\${String(path)}\`, init);
const enrolment = await startEnrolment({ userId }, { headers });
const listed = await listDevices(userId, { headers });
if (enrolment.status !== 201 || listed.status !== 200) throw new Error('refused');
console.log(JSON.stringify({ qr: enrolment.data.qr, devices: listed.data.devices }));`,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api@13.13.0'],
    reads: 'openapi.yaml',
    run: (document) => ['generate', '--path', document, '--output', 'made', '--name', 'api.ts'],
    program: `import { Api } from './made/api.ts';
${given}
const api = new Api({ baseUrl, baseApiParams: { headers } });
const { data: enrolment } = await api.omi.startEnrolment({ userId });
const { data: listed } = await api.omi.listDevices(userId);
console.log(JSON.stringify({ qr: enrolment.qr, devices: listed.devices }));`,
  },
  {
    name: 'oazapfts',
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1.2.0'],
    // It makes a name of the range 5XX that is none.
    reads: 'openapi-3.0.yaml',
    run: (document) => [document, 'made/api.ts'],
    program: `import { defaults, listDevices, startEnrolment } from './made/api.ts';
${given}
Object.assign(defaults, { baseUrl, headers });
const enrolment = await startEnrolment({ userId });
const listed = await listDevices(userId);
if (!('qr' in enrolment.data) || !('devices' in listed.data)) throw new Error('refused');
console.log(JSON.stringify({ qr: enrolment.data.qr, devices: listed.data.devices }));`,
  },
  {
    name: 'openapi',
    packages: ['openapi-typescript-codegen@0.31.0'],
    reads: 'openapi.yaml',
    run: (document) => ['--input', document, '--output', 'made'],
    program: `import { OpenAPI, WebsiteService } from './made/index.ts';
${given}
Object.assign(OpenAPI, { BASE: baseUrl, HEADERS: headers });
const enrolment = await WebsiteService.startEnrolment({ userId });
const listed = await WebsiteService.listDevices(userId);
console.log(JSON.stringify({ ...enrolment, ...listed }));`,
  },
  {
    name: 'openapi-zod-client',
    packages: ['openapi-zod-client@1.18.3', '@zodios/core@10.9.6', 'axios@1.21.1', 'zod@3.25.76'],
    // It does not know the types of JSON Schema 2020-12.
    reads: 'openapi-3.0.yaml',
    run: (document) => [document, '--output', 'made/api.ts'],
    // It checks every answer against the schemas.
    program: `import { createApiClient } from './made/api.ts';
${given}
const api = createApiClient(baseUrl);
const enrolment = await api.startEnrolment({ userId }, { headers });
const listed = await api.listDevices({ params: { userId }, headers });
console.log(JSON.stringify({ qr: enrolment.qr, devices: listed.devices }));`,
  },
];
