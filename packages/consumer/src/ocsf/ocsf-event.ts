/** The version of the Open Cybersecurity Schema Framework that `toOcsf` writes: https://schema.ocsf.io */
export const OCSF_VERSION = '1.9.0';

export type OcsfUser = { uid: string; type: string; type_id: number };
export type OcsfDevice = { uid: string; type: string; type_id: number };

export type OcsfEntity = {
  uid: string;
  type: string;
  type_id: number;
  device?: OcsfDevice;
};

export type OcsfAuthFactor = {
  factor_type: string;
  factor_type_id: number;
  provider?: string;
  device?: OcsfDevice;
};

export type OcsfAttestation = {
  uid: string;
  authority_uid: string;
  signatures: object[];
};

/** The attributes that `toOcsf` writes. */
export type OcsfEvent = {
  category_uid: number;
  category_name: string;
  class_uid: number;
  class_name: string;
  activity_id: number;
  activity_name: string;
  type_uid: number;
  type_name: string;
  severity_id: number;
  severity: string;
  time: number;
  timezone_offset: number;
  message: string;
  metadata: {
    version: typeof OCSF_VERSION;
    product: { name: string; vendor_name?: string; version?: string };
    uid: string;
    original_event_uid: string;
    original_time: string;
    event_code: string;
    log_name: string;
    log_provider: string;
    tenant_uid: string;
    correlation_uid?: string;
    labels?: readonly string[];
    profiles?: readonly string[];
  };
  status_id?: number;
  status?: string;
  status_code?: string;
  status_detail?: string;
  actor?: { user?: OcsfUser; app_uid?: string; idp?: { uid: string } };
  src_endpoint?: { ip: string };
  user?: OcsfUser;
  service?: { name: string };
  entity?: OcsfEntity;
  is_mfa?: boolean;
  auth_factors?: OcsfAuthFactor[];
  attestation_list?: OcsfAttestation[];
  observables?: { name: string; type: string; type_id: number; value: string }[];
  unmapped: Record<string, unknown>;
};
