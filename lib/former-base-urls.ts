import { isExecuteApi } from '../core/kernel/base-urls.ts';

type Addresses = {
  formerBaseUrls: readonly string[];
  domain?: { name: string } | undefined;
  edge?: { required: boolean } | undefined;
};

/** @returns why devices that enrolled at a former base URL could not call */
export function formerBaseUrlsFault({ formerBaseUrls, domain, edge }: Addresses): string | undefined {
  if (domain && formerBaseUrls.includes(`https://${domain.name}`))
    return 'api.formerBaseUrls must not name the present domain';
  if (edge?.required && formerBaseUrls.some(isExecuteApi))
    return "api.edge.required must be false while api.formerBaseUrls names API Gateway's own address, because calls there bypass CloudFront";
  return undefined;
}
