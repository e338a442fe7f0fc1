import { GetDomainNameCommand } from '@aws-sdk/client-apigatewayv2';
import type { Finding, Probe } from '../../doctor/probe.ts';
import { distributionsIn } from '../distributions-client.ts';
import type { Planned } from '../planned.ts';

const fix =
  'Choose another name, or free it there first. If this stage is deployed already, the name is its own.';

/** Whether the names of the stage are free: API Gateway and CloudFront give a name to one alone. */
export const domainsProbe: Probe<Planned> = {
  name: 'domains',
  check: async (planned) => {
    const { api, webApp, exportsPage, console: desk } = planned.config;
    const pages = [
      webApp.enabled ? webApp.domain?.name : undefined,
      exportsPage.enabled ? exportsPage.domain?.name : undefined,
      desk.enabled ? desk.domain?.name : undefined,
      api.edge && api.domain?.name,
    ].filter((name) => name !== undefined);
    return [
      ...unnamed(planned.config),
      ...(api.domain ? [await checkApi(planned, api.domain.name)] : []),
      ...(pages.length > 0 ? await checkPages(planned, pages) : []),
    ];
  },
};

/** In production a name that is chosen later costs every enrolment. */
function unnamed({ stage, api, webApp }: Planned['config']): Finding[] {
  if (stage !== 'production') return [];
  const missing: [setting: string, isMissing: boolean, detail: string][] = [
    [
      'api.domain',
      !api.domain,
      "is missing: devices belong to API Gateway's name, for as long as they are enrolled",
    ],
    [
      'webApp.domain',
      webApp.enabled && !webApp.domain,
      "is missing: web devices belong to CloudFront's name",
    ],
  ];
  return missing.flatMap(([subject, isMissing, detail]) =>
    isMissing ? [{ subject, ok: true, warning: true, detail, fix: chooseFirst }] : [],
  );
}

const chooseFirst =
  'Set it before the first device enrols, see "Choose the address first" in docs/first-deployment.md.';

async function checkApi({ clients }: Planned, subject: string): Promise<Finding> {
  try {
    await clients().apigateway.send(new GetDomainNameCommand({ DomainName: subject }));
    return { subject, ok: false, detail: 'an API of this account has this name', fix };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotFoundException') throw error;
    return { subject, ok: true, detail: 'no API of this account has it' };
  }
}

async function checkPages({ clients, aliasOf }: Planned, names: readonly string[]): Promise<Finding[]> {
  const known = await distributionsIn(clients().cloudfront);
  return await Promise.all(
    names.map(async (subject): Promise<Finding> => {
      const owner = known.find(({ aliases }) => aliases.includes(subject));
      if (owner) return { subject, ok: false, detail: `the distribution ${owner.host} has this name`, fix };
      const alias = await aliasOf(subject);
      if (alias?.endsWith('.cloudfront.net') && !known.some(({ host }) => host === alias))
        return { subject, ok: false, detail: `${alias} of another account may have this name`, fix };
      return { subject, ok: true, detail: 'no distribution of this account has it' };
    }),
  );
}
