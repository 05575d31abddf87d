/** Before each test file: what runs beside the test starts from the bundle, in a tenth of the time. */
import { inject } from 'vitest';
import { startFromBundle } from '../../engine/package-root.ts';

startFromBundle(inject('bundle'));
