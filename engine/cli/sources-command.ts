/** `platbook sources FIPS`: shows what is loaded for a county, what is missing, and where the public files are. */
import fs from 'node:fs';
import type { Command } from 'commander';
import { layerKinds } from '../enrichment/layer-kinds.ts';
import { listWaiting } from '../enrichment/waiting.ts';
import { type CountySources, listSources, type SourceState } from '../importing/sources.ts';
import { searchCounties } from '../importing/sources-counties.ts';
import { countyFacts } from '../query/county-facts.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { parseFips } from './arguments.ts';
import { chosenHome, withEngine } from './home.ts';
import type { Output } from './output.ts';

export function addSourcesCommand(program: Command, output: Output): void {
  program
    .command('sources <county...>')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nPlatbook downloads nothing: copy the names and addresses.\n\nExample:\n  platbook sources 33019\n  platbook sources grafton nh',
    )
    .action((given: string[], options: { json?: boolean }, command: Command) => {
      const fips = parseCounty(given.join(' '));
      const print = (found: CountySources) => output.print(options.json ? JSON.stringify(found) : sourcesText(found));
      const { folder } = chosenHome(command);
      // Users run this first, before there is a home; it must not create one.
      if (!fs.existsSync(folder)) return print(listSources({ land: null, home: folder, fips, ...suppliers }));
      return withEngine(command, output, ({ land, home }) =>
        print(listSources({ land, home, fips, ...suppliers, waiting: listWaiting(land, fips) })),
      );
    });
}

/** Inputs that `importing` may not import. */
const suppliers = { layers: layerKinds, factsOf: countyFacts };

const maxCounties = 20;

/** By code, or by words of the name: beginners do not know the code. */
function parseCounty(text: string): string {
  if (/^\d+$/.test(text)) return parseFips(text);
  const found = searchCounties(text);
  const [first] = found;
  if (first && found.length === 1) return first.fips;
  const listed = found.slice(0, maxCounties).map(({ fips, name, state }) => `${fips} ${name}, ${state}`);
  throw new EngineError(
    'usage',
    first
      ? `${found.length} counties have the name ${JSON.stringify(text)}; choose one by its code: ${listed.join('; ')}${found.length > maxCounties ? '; …' : ''}`
      : `No county has the name ${JSON.stringify(text)}; give its name and state (grafton nh) or its FIPS code.`,
  );
}

function sourcesText({ fips, county_name: name, state, parcels, sources, notes }: CountySources): string {
  const ready = sources.filter(({ isLoaded }) => isLoaded).length;
  return [
    `${name}, ${state} (${fips}): ${counted(parcels, 'parcel', 'parcels')}; ${ready} of ${sources.length} sources loaded`,
    ...sources.map(sourceText),
    ...notes,
  ].join('\n\n');
}

const maxFilters = 8;

function sourceText({
  title,
  docs,
  isLoaded,
  loaded,
  waiting,
  unlocks,
  published,
  files,
  command,
}: SourceState): string {
  const names = unlocks.slice(0, maxFilters).map(({ name }) => name);
  const more = unlocks.length > maxFilters ? ` and ${unlocks.length - maxFilters} more` : '';
  const lines = [
    `${isLoaded ? '✓' : '✗'} ${title}${isLoaded ? `: ${loaded.join('; ')}` : `: missing. ${docs}`}`,
    ...(names.length > 0 ? [`    filters: ${names.join(', ')}${more}`] : []),
    ...(waiting === null ? [] : [`    ${waiting}: see "platbook layers"`]),
    ...published.map(
      ({ column, parcels }) => `    ${counted(parcels, 'parcel already has', 'parcels already have')} ${column}`,
    ),
  ];
  if (isLoaded) return lines.join('\n');
  return [
    ...lines,
    ...files.flatMap((file) => [
      `    file: ${file.name} (${file.publisher})`,
      `      ${file.url}`,
      ...(file.docs ? [`      ${file.docs}`] : []),
    ]),
    `    then: ${command}`,
  ].join('\n');
}
