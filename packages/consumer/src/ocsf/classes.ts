import type { OcsfEvent } from './ocsf-event.ts';

type Class = { uid: number; name: string; category: { uid: number; name: string } };

const iam = { uid: 3, name: 'Identity & Access Management' };

export const classes = {
  base: { uid: 0, name: 'Base Event', category: { uid: 0, name: 'Uncategorized' } },
  authentication: { uid: 3002, name: 'Authentication', category: iam },
  entityManagement: { uid: 3004, name: 'Entity Management', category: iam },
  userManagement: { uid: 3007, name: 'User Management', category: iam },
} satisfies Record<string, Class>;

export type ClassName = keyof typeof classes;
export type Activity = { id: number; name: string };

export const severities = {
  informational: { severity_id: 1, severity: 'Informational' },
  low: { severity_id: 2, severity: 'Low' },
  medium: { severity_id: 3, severity: 'Medium' },
  high: { severity_id: 4, severity: 'High' },
};

type Classification = Pick<
  OcsfEvent,
  | 'category_uid'
  | 'category_name'
  | 'class_uid'
  | 'class_name'
  | 'activity_id'
  | 'activity_name'
  | 'type_uid'
  | 'type_name'
>;

export function classify(className: ClassName, activity: Activity): Classification {
  const { uid, name, category } = classes[className];
  return {
    category_uid: category.uid,
    category_name: category.name,
    class_uid: uid,
    class_name: name,
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: uid * 100 + activity.id,
    type_name: `${name}: ${activity.name}`,
  };
}
