export const targetKinds = ['stream', 'bucket'] as const;
export type TargetKind = (typeof targetKinds)[number];
