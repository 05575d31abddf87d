/**
 * The commands as `platbook --help` lists them. The file that runs a command is loaded when the command is given: most of
 * the time of a short command is the loading of code.
 */
import type { Command } from 'commander';
import { layerTitles } from '../spec/layer-titles.ts';
import type { Output } from './output.ts';

interface CommandFile {
  /** Name and description of each command that the file adds; null: not listed. */
  readonly commands: Readonly<Record<string, string | null>>;
  readonly load: () => Promise<(program: Command, output: Output) => void>;
}

export const commandFiles: readonly CommandFile[] = [
  {
    commands: {
      serve: 'answer the HTTP API on 127.0.0.1, and the app in a browser, until Ctrl+C',
      start: null,
    },
    load: async () => (await import('./service-commands.ts')).addServiceCommands,
  },
  {
    commands: { call: 'run one operation and print its answer; it is metered like every call' },
    load: async () => (await import('./call-command.ts')).addCallCommand,
  },
  {
    commands: { trace: 'show the life of a call: its files, its steps, milliseconds; free' },
    load: async () => (await import('./trace-command.ts')).addTraceCommand,
  },
  {
    commands: { import: 'bring in files of a county, of listings, of contacts' },
    load: async () => (await import('./data-commands.ts')).addImportCommand,
  },
  {
    commands: {
      sample: 'load the synthetic sample county (no real people or places) into a home of its own',
    },
    load: async () => (await import('./data-commands.ts')).addSampleCommand,
  },
  {
    commands: { home: 'where your data lie: the folder of the home, and of the sample if there is one' },
    load: async () => (await import('./data-commands.ts')).addHomeCommand,
  },
  {
    commands: {
      check: 'check integrity, indexes, identities and the ledger; exits 1 when one fails',
    },
    load: async () => (await import('./check-command.ts')).addCheckCommand,
  },
  {
    commands: {
      datasets: 'what is loaded, and which columns are published',
      undo: 'restore a county to its state before an import ("datasets imports" lists them); without a number, say which is the latest',
      redo: 'redo an import that was undone, without a number the last; nothing may have come in since',
    },
    load: async () => (await import('./import-undo-commands.ts')).addUndoCommands,
  },
  {
    commands: {
      'derive-comps': "derive comps from the parcels' own recorded sales, screened; running it again replaces them",
      value: 'the comp value of a parcel (10 tokens; 0 without comps)',
      backtest: "value a county's own sales from the sales before them, and report the error (free)",
    },
    load: async () => (await import('./market-commands.ts')).addMarketCommands,
  },
  {
    commands: { sales: 'suspect sales of a county: why, and kept or struck out of values by hand; free' },
    load: async () => (await import('./sales-command.ts')).addSalesCommand,
  },
  {
    commands: {
      look: 'what a file holds: layers, rows, columns with samples, coordinate system; nothing is imported',
    },
    load: async () => (await import('./look-command.ts')).addLookCommand,
  },
  {
    commands: { map: "propose how a file's columns map to the parcel dictionary; nothing is imported" },
    load: async () => (await import('./map-command.ts')).addMapCommand,
  },
  {
    commands: {
      sources: 'what a county has and lacks, which filters each unlocks, and where the public files are',
    },
    load: async () => (await import('./sources-command.ts')).addSourcesCommand,
  },
  {
    commands: { imagery: 'photos of the air under the lots: add, list, remove, check' },
    load: async () => (await import('./imagery-command.ts')).addImageryCommand,
  },
  {
    commands: {
      enrich: `complete the parcels of a county from a layer, or draw it (${Object.keys(layerTitles).join(', ')})`,
      layers: 'layers that completed the parcels, or are only drawn',
    },
    load: async () => (await import('./layer-commands.ts')).addLayerCommands,
  },
  {
    commands: { book: 'print a plat book: owners and acres on maps to scale, with an index, as one georeferenced PDF' },
    load: async () => (await import('./book-command.ts')).addBookCommand,
  },
  {
    commands: {
      export: 'write parcels into a file',
    },
    load: async () => (await import('./export-commands.ts')).addExportCommands,
  },
  {
    commands: {
      'share-page':
        'write parcels into one HTML file to send: map, facts, photos; it opens on any phone and asks no server. Free',
    },
    load: async () => (await import('./share-page-command.ts')).addSharePageCommand,
  },
  {
    commands: {
      'field-notes':
        'write your waypoints, photos’ places and tracks, and the outlines of their parcels, into a GPX or KML; "field-notes import" brings those of other apps in',
    },
    load: async () => (await import('./field-notes-commands.ts')).addFieldNotesCommands,
  },
  {
    commands: {
      photos:
        'bring photos onto the map: "photos import FOLDER" places them by their own place, or by their time on a track',
    },
    load: async () => (await import('./photos-command.ts')).addPhotosCommand,
  },
  {
    commands: { lake: 'write all parcels into a folder of GeoParquet, which DuckDB, QGIS and BigQuery read; free' },
    load: async () => (await import('./lake-command.ts')).addLakeCommand,
  },
  {
    commands: {
      push: 'send counties to a PostgreSQL server with PostGIS that you name; only parcels and comps, free',
    },
    load: async () => (await import('./push-command.ts')).addPushCommand,
  },
  {
    commands: { pull: 'take counties along from a PostgreSQL server with PostGIS that you name, with its ids; free' },
    load: async () => (await import('./pull-command.ts')).addPullCommand,
  },
  {
    commands: {
      sheet: 'print a page of the map: a georeferenced PDF to scale',
      adjoiners: 'print whose land lies around a parcel: a numbered map, a table, and a proof of notice',
    },
    load: async () => (await import('./sheet-command.ts')).addSheetCommand,
  },
  {
    commands: { 'visit-report': 'print what was seen on a parcel: map, form, numbered photos, a line to sign; as PDF' },
    load: async () => (await import('./visit-command.ts')).addVisitCommand,
  },
  {
    commands: {
      backup: 'write the whole home into one zip file; the app may go on working meanwhile',
      restore: 'restore a backup; the current files are moved into a folder of the home, never deleted',
      share: 'write a copy of land.sqlite to give away: no people, none of your own work',
    },
    load: async () => (await import('./backup-commands.ts')).addBackupCommands,
  },
  {
    commands: { contacts: 'persons of your contact lists who ask to be left alone' },
    load: async () => (await import('./contact-commands.ts')).addContactCommands,
  },
  {
    commands: {
      keys: 'API keys for spreadsheets and tools',
      plan: 'the local plan; tokens are a counter on this computer and cost no money',
    },
    load: async () => (await import('./account-commands.ts')).addAccountCommands,
  },
  {
    commands: { deals: 'the desk: stages, next steps, offers and timelines of parcels; CSV in and out; free' },
    load: async () => (await import('./deals-command.ts')).addDealsCommands,
  },
  {
    commands: {
      mailings: 'letters to the owners of a list: offers by rule, who gets none, replies, what came of it; free',
    },
    load: async () => (await import('./mailings-command.ts')).addMailingCommands,
  },
  {
    commands: { feeds: 'addresses that spreadsheets and QGIS read' },
    load: async () => (await import('./feed-commands.ts')).addFeedCommands,
  },
  {
    commands: { mcp: 'answer an assistant over standard input and output (Model Context Protocol)' },
    load: async () => (await import('./mcp-command.ts')).addMcpCommand,
  },
  {
    commands: { 'python-client': 'print the API as one typed Python file, of the standard library alone' },
    load: async () => (await import('./python-client-command.ts')).addPythonClientCommand,
  },
  {
    commands: { sql: 'query land.sqlite in SQL; free and read-only' },
    load: async () => (await import('./sql-command.ts')).addSqlCommand,
  },
];

/** Adds the commands that `args` may give, whole; the others by name and description. */
export async function addCommands(program: Command, args: readonly string[], output: Output): Promise<void> {
  for (const { commands, load } of commandFiles) {
    if (Object.keys(commands).some((name) => args.includes(name))) (await load())(program, output);
    for (const [name, about] of Object.entries(commands)) {
      const command =
        program.commands.find((one) => one.name() === name) ?? program.command(name, { hidden: about === null });
      if (about !== null) command.description(about);
    }
  }
}
