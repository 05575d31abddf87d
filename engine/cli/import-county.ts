/** The county of an import that names none: where its first parcels lie. */
import { proposeCounty } from '../importing/propose-county.ts';
import type { ParcelsInput } from '../jobs/task-kinds.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { askFile } from './ask-file.ts';
import type { Output } from './output.ts';

/**
 * The input with a county, if it needs one. Reports a county that was chosen automatically; the import checks it on the
 * whole file.
 * @throws EngineError usage if no county holds most of the first parcels
 */
export async function withCounty(input: ParcelsInput, output: Output): Promise<ParcelsInput> {
  const { county, county_column: column, files, layer, crs, without_shapes } = input;
  const [file] = files;
  if (county !== undefined || column !== undefined || file === undefined) return input;
  const proposed = proposeCounty(
    await askFile('look_file', { path: file, ...defined({ layer, crs, without_shapes }) }, { output }),
    layer,
  );
  if ('why' in proposed) {
    throw new EngineError(
      'usage',
      `Expected --county with a FIPS code, or for a statewide file --county-column: ${file} has ${proposed.why}.`,
    );
  }
  const { fips, name, state } = proposed.county;
  output.note(`County: ${name}, ${state} (${fips}), where the first parcels lie; "--county" takes another.`);
  return { ...input, county: fips };
}
