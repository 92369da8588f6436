import { scenarios } from './scenarios/all-scenarios.ts';
import { testScenarios } from './support/test-scenarios.ts';

testScenarios(scenarios.access);
