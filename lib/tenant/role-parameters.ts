import { roleArnPattern } from './parameters.ts';

/** What a role needs that the operator assumes. */
export const roleParameters = {
  'From the operator of OMI': {
    OperatorAccountId: {
      label: 'Account',
      description: "The operator's AWS account.",
      allowedPattern: String.raw`^\d{12}$`,
      constraintDescription: 'Expected 12 digits.',
    },
    OperatorRoleArns: {
      label: 'Roles',
      description: "The operator's roles that may write events, separated by commas.",
      type: 'CommaDelimitedList',
      allowedPattern: roleArnPattern,
      constraintDescription: 'Expected ARNs of roles.',
    },
  },
  'Agreed with the operator': {
    ExternalId: {
      label: 'External id',
      description:
        'A random string only for your organisation. OMI sends it whenever it assumes the role. It is not a secret.',
      minLength: 16,
      maxLength: 1224,
      allowedPattern: String.raw`^[\w+=,.@:/-]+$`,
      constraintDescription: 'Expected 16 characters or more, of letters, digits and _ + = , . @ : / -',
    },
  },
};
