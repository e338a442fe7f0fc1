/** The package for Kotlin, which is compiled once for all of its tests. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { useSharedStack } from '../../support/use-stack.ts';
import { refusesHostileAnswers } from './answers.ts';
import { passesConformance } from './conformance.ts';
import { CompiledPackage, KotlinProgram } from './kotlin.ts';
import { worksWithTheService } from './live.ts';
import { hasParts } from './parts.ts';
import { runsVectors } from './vectors.ts';
import { longestProgramMs } from '../../support/waiting.ts';

const stack = useSharedStack();
let compiled: CompiledPackage;
let program: KotlinProgram;

beforeAll(async () => {
  compiled = await CompiledPackage.create();
  program = new KotlinProgram(compiled);
}, longestProgramMs);
afterAll(async () => {
  await program.stop();
  await compiled.remove();
});

const current = (): KotlinProgram => program;

describe('the parts', () => hasParts(current));
describe('the vectors', () => runsVectors(current));
describe('hostile answers', () => refusesHostileAnswers(current));
describe('the conformance suite', () => passesConformance(stack, () => compiled));
describe('the service', () => worksWithTheService(stack, current, () => compiled));
