export const targetKinds = ['stream', 'bucket', 'webhook'] as const;
export type TargetKind = (typeof targetKinds)[number];
