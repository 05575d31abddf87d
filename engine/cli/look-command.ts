/** `platbook look`: describes a file before anything is imported. */
import path from 'node:path';
import type { Command } from 'commander';
import { layerKindNames } from '../enrichment/layer-kinds.ts';
import type { Look, LookedLayer } from '../importing/look.ts';
import { tasks } from '../jobs/task-kinds.ts';
import { counted } from '../spec/counted.ts';
import { contentWords } from '../spec/layer-likeness.ts';
import { isLookAlone, layerLooks } from '../spec/layer-titles.ts';
import { quoted } from './arguments.ts';
import { askFile } from './ask-file.ts';
import { type Output, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

const { input: schema } = tasks.look_file;

export function addLookCommand(program: Command, output: Output): void {
  const command = program.command('look <file>');
  addSchemaOptions(command, schema, ['crs', 'header_row'])
    .option('--json', 'print JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      // A file with lines holds no parcels, but possibly roads.
      const input = { ...givenFields(schema, flags), path: file, purpose: 'layer' } as const;
      const looked = await askFile('look_file', input, { output });
      if (flags.json) output.print(JSON.stringify(looked));
      else output.print([...looked.layers.map((layer) => layerText(layer, looked)), nextText(looked)].join('\n\n'));
    });
}

/** Points of a drawing name what is beside them; elsewhere they are parcels without a shape. */
const isLabels = ({ shapes, leftOut }: LookedLayer): boolean => shapes === 'points' && leftOut !== null;

function whatOf(layer: LookedLayer, kind: Look['kind']): string {
  const { shapes, problem, content } = layer;
  if (kind === 'table') return 'a table without shapes';
  if (shapes === null && problem !== null) return 'a layer';
  if (content !== null) return contentWords(content);
  return shapes === 'lines' || isLabels(layer) ? (shapes ?? '') : 'parcels';
}

function rowWords(rows: number | null): string {
  if (rows === null) return 'rows not counted';
  return counted(rows, 'row', 'rows');
}

function layerText(layer: LookedLayer, { kind, path: file }: Look): string {
  const { format, rows, system, bounds, encoding, problem } = layer;
  const name = layer.name || path.basename(file);
  const facts = [
    `${name}: ${whatOf(layer, kind)}, ${format}, ${rowWords(rows)}${encoding ? `, ${encoding}` : ''}`,
    ...(system ? [`  coordinates: ${system.name}${system.code === null ? '' : ` (EPSG:${system.code})`}`] : []),
    ...(bounds
      ? [
          `  ${layer.isSampled ? 'its first rows lie' : 'lies'} within ${bounds.map((degrees) => degrees.toFixed(4)).join(', ')} (west, south, east, north)`,
        ]
      : []),
    ...(layer.leftOut
      ? [`  ${kind === 'table' ? 'left out' : 'no parcels, left out by an import of parcels'}: ${layer.leftOut}`]
      : []),
    ...(layer.isProbablySwapped ? ['  longitude and latitude are probably swapped'] : []),
    ...(problem ? [`  cannot be imported as it is: ${problem}`] : []),
  ];
  const columns = layer.columns.map((column) => ({
    column: column.name,
    type: column.type,
    samples: column.samples
      .map((sample) => sample.slice(0, 24))
      .join(' · ')
      .slice(0, 100),
  }));
  const table = columns.length === 0 ? [] : ['', tableText(['column', 'type', 'samples'], columns)];
  return [...facts, ...table].join('\n');
}

/** With more layers than this, one line stands for all. */
const mostNamed = 3;

/** The next commands, ready to copy. */
function nextText({ kind, path: file, layers }: Look): string {
  if (kind === 'table') {
    const alone = `platbook map ${quoted(file)} --without-shapes --county <FIPS>   (its rows are parcels without shapes)`;
    return `Next: platbook map <file of parcels> --join ${quoted(file)} --county <FIPS>\n  or: ${alone}`;
  }
  const linesOf = (command: string, found: readonly LookedLayer[]): string[] =>
    (found.length > mostNamed ? ['<LAYER>'] : found.map(({ name }) => quoted(name))).map(
      (name) => `platbook ${command} ${quoted(file)}${layers.length > 1 ? ` --layer ${name}` : ''} --county <FIPS>`,
    );
  const usable = layers.filter(({ problem }) => problem === null);
  const parcels = linesOf(
    'map',
    usable.filter((layer) => layer.content === null && layer.shapes !== 'lines' && !isLabels(layer)),
  );
  const where = '   ("platbook sources <FIPS>" shows where public data is)';
  const drawing = layerLooks.filter(isLookAlone).flatMap((look) =>
    linesOf(
      `enrich other`,
      usable.filter(({ content }) => content === look),
    ).map((text) => `${text} --look ${look}`),
  );
  const enriching = layerKindNames.flatMap((kind) =>
    linesOf(
      `enrich ${kind}`,
      usable.filter(({ content, shapes }) => (content ?? (shapes === 'lines' ? 'roads' : null)) === kind),
    ),
  );
  const next = [...parcels.map((text, i) => (i === 0 ? text + where : text)), ...enriching, ...drawing];
  if (next.length > 0) return `Next: ${next.join('\n  or: ')}`;
  return 'Nothing in it can be imported as it is.';
}
