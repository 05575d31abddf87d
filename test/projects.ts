/**
 * Which tests run where. `npm test` runs the projects `unit` (threads), `engine` (processes) and `window` (Chromium);
 * `npm run test:all` runs `more-windows` and `outside` as well. What no list names belongs to `engine`, and below test/ui
 * to `more-windows`.
 */

/** Pure functions: no database, no process, no socket (test/architecture.test.ts checks it). */
export const pure = [
  'test/architecture.test.ts',
  'test/docs.test.ts',
  'test/columns/sort-numbers.test.ts',
  'test/comps/{backtest,distance,market,market-error,market-model,method-version,no-value,ratio-study,regions,same-sale,valuation,valuation-parts}.test.ts',
  'test/contacts/{mailing-key,match-contact,owner-name,owner-type}.test.ts',
  'test/sample-maker/sample-county.test.ts',
  'test/enrichment/{layers,near-length}.test.ts',
  'test/geo/{hilbert,ring-crossings}.test.ts',
  'test/tiles/{isolines,named-lines}.test.ts',
  'test/spec/*.test.ts',
  'test/ui/{heading,import-parts,map-parts,map-style,photo-contrast}.test.ts',
];

/** Windows that a change is most likely to break: a screen each, by mouse and by keyboard. */
export const essentialWindows = ['explore', 'lists', 'value', 'import', 'settings', 'markets', 'comps'];

export const withoutWindow = ['private-door', 'tables'];

/** Random inputs and long tables: a part of them in `engine`, all of them in `outside` (test/support/runs.ts). */
export const fuzz = [
  'test/http/fuzz.test.ts',
  'test/geo/intersects.test.ts',
  'test/columns/column-index.test.ts',
  'test/engine/list-neighbours.test.ts',
  'test/enrichment/layer-formats.test.ts',
  'test/imagery/imagery.test.ts',
  'test/importing/readers/reference-system.test.ts',
  'test/importing/walks/dialects.test.ts',
  'test/jobs/jobs.test.ts',
  'test/share-page/private.test.ts',
  'test/work/deals.test.ts',
  'test/visits/visit-report.test.ts',
  'test/work/import-walk.test.ts',
  'test/work/lists.test.ts',
];

/**
 * What goes beyond this process or takes minutes: packages and shells, killed and interrupted processes, threads, other
 * programs as oracles of whole counties, benches.
 */
export const outside = [
  'test/package.test.ts',
  'test/backup/interrupted.test.ts',
  'test/book/book-ends.test.ts',
  'test/bench/*.test.ts',
  'test/cli/{export-charges,interrupted}.test.ts',
  'test/columns/{index-killed,index-stopped}.test.ts',
  'test/torture/*.test.ts',
  'test/electron/{binary,boot,engine-host,pages,packaging,portable,xvfb-window}.test.ts',
  'test/engine/killed.test.ts',
  'test/enrichment/{real-layers,threads}.test.ts',
  'test/http/{all-doors,docs-page,feeds-office,orval-client,python-client,slow-clients,typed-client}.test.ts',
  'test/sample-maker/sample-files.test.ts',
  'test/importing/readers/{gdal-door-whole,malformed,mutants-import,same-parcels}.test.ts',
  'test/postgis/*.test.ts',
  'test/jobs/{committed-work,killed-after-commit}.test.ts',
  'test/ui/sealed.test.ts',
];
