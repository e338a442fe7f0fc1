import { type JsonFile, openJsonFile } from '../../json-file.ts';
import { AwsServiceError } from '../../protocols/errors.ts';

/** SNS's names of the platforms, with ours. */
export const platforms = { GCM: 'fcm', APNS: 'apns', APNS_SANDBOX: 'apns-sandbox' } as const;
export type SnsPlatform = keyof typeof platforms;

export type Application = { arn: string; platform: SnsPlatform; attributes: Record<string, string> };
export type Endpoint = {
  arn: string;
  applicationArn: string;
  token: string;
  enabled: boolean;
  userData?: string;
};

type Saved = { applications: Application[]; endpoints: Endpoint[] };

/** Platform applications and the endpoints of devices, by ARN. */
export class SnsState {
  readonly applications = new Map<string, Application>();
  readonly endpoints = new Map<string, Endpoint>();
  /** Endpoints by application and token, so that an enrolment does not search all of them. */
  private readonly arnsByToken = new Map<string, string>();
  private readonly file: JsonFile<Saved>;

  constructor(path?: string) {
    this.file = openJsonFile<Saved>(path, () => ({
      applications: [...this.applications.values()],
      endpoints: [...this.endpoints.values()],
    }));
    for (const application of this.file.saved?.applications ?? [])
      this.applications.set(application.arn, application);
    for (const endpoint of this.file.saved?.endpoints ?? []) this.index(endpoint);
  }

  application(arn: string | undefined): Application {
    const application = this.applications.get(arn ?? '');
    if (!application) throw new AwsServiceError(404, 'NotFound', 'PlatformApplication does not exist');
    return application;
  }

  endpoint(arn: string | undefined): Endpoint {
    const endpoint = this.endpoints.get(arn ?? '');
    if (!endpoint) throw new AwsServiceError(404, 'NotFound', 'Endpoint does not exist');
    return endpoint;
  }

  endpointWith(applicationArn: string, token: string): Endpoint | undefined {
    return this.endpoints.get(this.arnsByToken.get(tokenKey({ applicationArn, token })) ?? '');
  }

  putApplication(application: Application): void {
    this.applications.set(application.arn, application);
    this.file.changed();
  }

  deleteApplication(arn: string): void {
    this.applications.delete(arn);
    for (const endpoint of this.endpoints.values()) {
      if (endpoint.applicationArn === arn) this.deleteEndpoint(endpoint.arn);
    }
    this.file.changed();
  }

  putEndpoint(endpoint: Endpoint): void {
    this.deleteEndpoint(endpoint.arn);
    this.index(endpoint);
    this.file.changed();
  }

  deleteEndpoint(arn: string): void {
    const endpoint = this.endpoints.get(arn);
    if (!endpoint) return;
    this.endpoints.delete(arn);
    this.arnsByToken.delete(tokenKey(endpoint));
    this.file.changed();
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  private index(endpoint: Endpoint): void {
    this.endpoints.set(endpoint.arn, endpoint);
    this.arnsByToken.set(tokenKey(endpoint), endpoint.arn);
  }
}

function tokenKey({ applicationArn, token }: Pick<Endpoint, 'applicationArn' | 'token'>): string {
  return `${applicationArn}\n${token}`;
}
