/** The code of tasks that write comps and contacts. */
import { deriveComps } from '../../importing/lists/derive-comps.ts';
import { importComps } from '../../importing/lists/import-comps.ts';
import { importContacts } from '../../importing/lists/import-contacts.ts';
import { compTarget, contactTarget } from '../../importing/values/mapping-target.ts';
import { withBacktests } from '../../query/backtest-query.ts';
import { readSaleVerdicts } from '../../query/suspect-sales.ts';
import { defined } from '../../spec/defined.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import { expectKind } from '../../store/home-kind.ts';
import { openPeopleStore } from '../../store/people-store.ts';
import { type Code, importProgress, type LandTools, mappingOf, onLand, withAccount } from './on-land.ts';

export const code: Code<'import_comps' | 'import_contacts' | 'derive_comps'> = {
  import_comps: onLand((input, context) => {
    const { land, now } = context;
    const { county, mapping, header_row: headerRow, ...named } = input;
    const run = (onRead: (counties: readonly string[]) => void) =>
      importComps(land, {
        ...named,
        ...defined({ headerRow }),
        homeKind: 'real',
        now,
        onProgress: importProgress(context),
        onRead,
        onCommitting: (report) => context.note(land.file, report),
        ...(county === undefined ? {} : { fips: normalFips(county) }),
        ...mappingOf(context.home, mapping, compTarget),
      });
    return tested(context, run);
  }),
  import_contacts: onLand(({ mapping, header_row: headerRow, ...named }, { home, land, now, progress, keep, note }) => {
    expectKind('home', land.kind, 'real');
    const people = openPeopleStore(home);
    try {
      const report = importContacts(people, {
        ...named,
        ...defined({ headerRow }),
        now,
        onProgress: ({ phase, rows }) => progress({ phase, rows, total: null, rows_per_second: 0 }),
        onCommitting: (made) => note(people.file, made),
        ...mappingOf(home, mapping, contactTarget),
      });
      keep(report);
      return report;
    } finally {
      people.close();
    }
  }),
  derive_comps: onLand(({ county, qualified_codes: codes }, context) => {
    const { land, note } = context;
    const run = (testBefore: (counties: readonly string[]) => void) => {
      testBefore([normalFips(county)]);
      return deriveComps(land, county, {
        ...defined({ qualifiedCodes: codes }),
        onCommitting: (report) => note(land.file, report),
      });
    };
    return tested(context, run);
  }),
};

/** Runs an import of comps, then says whether it made the values of its counties worse. */
const tested = <Result extends object>(context: LandTools, run: Parameters<typeof withBacktests<Result>>[2]) => {
  const { home, keep, land, now } = context;
  const verdicts = withAccount(home, readSaleVerdicts);
  return withBacktests(land, now(), run, { onDone: keep, onCounty: testing(context) }, verdicts);
};

/** Before and after an import of sales, tests every county's comp values against its sales. */
const testing =
  ({ progress }: LandTools) =>
  (county: string, when: 'before' | 'after'): void =>
    progress({
      phase: `${when === 'before' ? 'before the import: ' : ''}testing values of ${county}`,
      rows: 0,
      total: null,
      rows_per_second: 0,
    });
