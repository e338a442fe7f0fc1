import { expect, test } from '@jest/globals';
import { environments } from '../../../tools/bench/cold/environments.ts';
import { bundledLambdas } from '../../../bundling/bundle.ts';
import { deploymentLambdas } from '../../support/deployment-lambdas.ts';

test('measures every Lambda except those that only a deployment calls', () => {
  expect([...environments.keys()].toSorted()).toEqual(
    bundledLambdas()
      .filter((name) => !deploymentLambdas.includes(name))
      .toSorted(),
  );
});
