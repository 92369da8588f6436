/** Importing it gives the test file a table of its own, made as the template says. */
import { afterAll, beforeAll } from '@jest/globals';
import { client } from '../../shared/table/client.ts';
