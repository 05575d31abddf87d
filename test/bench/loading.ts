/** Generated data, and every engine loaded with it: made once, or found where an earlier run kept it. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { EngineProcess } from './engine-process.ts';
import type { BenchEngine, Loaded } from './engines/engine.ts';
import { type GeneratedCounty, writeGeneratedCounties, writeGeneratedCounty } from './generated-county.ts';
import { importApart } from './import-apart.ts';
import { convertToSpatialite, missingOgr2ogr } from './ogr2ogr.ts';

const seed = 20_261_120;

export interface Imported extends Loaded {
  readonly rows: number;
  readonly peakBytes: number;
}

/** Contents of one folder: counties, the home, and the databases of the other engines. */
interface Kept {
  readonly parcels: number;
  /** Hash of the generator's own files. */
  readonly generator: string;
  counties: readonly GeneratedCounty[];
  generatedSeconds: number;
  imported: Imported | null;
  /** ogr2ogr into SpatiaLite of the same file. */
  converted: Loaded | null;
  readonly loaded: Record<string, Loaded>;
}

/** Data of another state of the generator is not reused. */
export function generatorHash(): string {
  const folder = path.join(import.meta.dirname, 'generator');
  const files = [path.join(import.meta.dirname, 'generated-county.ts'), ...fs.readdirSync(folder).sort()];
  const hash = createHash('sha256');
  for (const file of files) hash.update(fs.readFileSync(path.resolve(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

export class LoadedData {
  readonly folder: string;
  readonly reused: string[] = [];
  readonly #kept: Kept;
  readonly #isMany: boolean;
  readonly #note: (text: string) => void;

  /** @param isMany eighteen counties instead of one */
  constructor(folder: string, parcels: number, isMany: boolean, note: (text: string) => void) {
    this.folder = folder;
    this.#isMany = isMany;
    this.#note = note;
    fs.mkdirSync(folder, { recursive: true });
    const found = this.#read();
    if (found && found.parcels !== parcels) {
      throw new RangeError(`${folder} holds ${found.parcels} parcels, ${parcels} were asked for: keep them elsewhere.`);
    }
    const generator = generatorHash();
    if (found && found.generator !== generator) {
      throw new RangeError(`${folder} was made by another state of the generator: remove it, or keep elsewhere.`);
    }
    this.#kept = found ?? {
      parcels,
      generator,
      counties: [],
      generatedSeconds: 0,
      imported: null,
      converted: null,
      loaded: {},
    };
  }

  get home(): string {
    return path.join(this.folder, 'home');
  }

  get counties(): readonly GeneratedCounty[] {
    return this.#kept.counties;
  }

  get generatedSeconds(): number {
    return this.#kept.generatedSeconds;
  }

  get imported(): Imported {
    if (!this.#kept.imported) throw new Error('nothing was imported yet');
    return this.#kept.imported;
  }

  get converted(): Loaded | null {
    return this.#kept.converted;
  }

  get loaded(): Readonly<Record<string, Loaded>> {
    return this.#kept.loaded;
  }

  generate(): void {
    if (this.#kept.counties.length > 0) {
      this.reused.push('generated data');
      return;
    }
    const began = performance.now();
    this.#note(`generating ${this.#kept.parcels} parcels`);
    this.#kept.counties = this.#isMany
      ? writeGeneratedCounties(this.folder, this.#kept.parcels, seed)
      : [writeGeneratedCounty(path.join(this.folder, 'county.ndjson'), this.#kept.parcels, seed)];
    this.#kept.generatedSeconds = (performance.now() - began) / 1000;
    this.#write();
  }

  async import(): Promise<void> {
    // Remove the home to import again with a changed importer.
    if (this.#kept.imported && fs.existsSync(path.join(this.home, 'land.sqlite'))) {
      this.reused.push('Platbook');
      return;
    }
    this.#note('importing into Platbook');
    fs.rmSync(this.home, { recursive: true, force: true });
    const files = this.#kept.counties.map(({ fips, file }) => `${fips}=${file}`);
    const { seconds, rows, peakBytes } = await importApart({ home: this.home, files, parcels: this.#kept.parcels });
    this.#kept.imported = { seconds, rows, peakBytes, bytes: fs.statSync(path.join(this.home, 'land.sqlite')).size };
    this.#write();
  }

  /** ogr2ogr into SpatiaLite, for the ratio of the imports; its file is not queried, and removed. */
  convert(): string | null {
    const [county] = this.#kept.counties;
    if (this.#kept.converted || !county) return null;
    const missing = missingOgr2ogr();
    if (missing !== null) return missing;
    this.#note('converting with ogr2ogr');
    const file = path.join(this.folder, 'ogr2ogr.sqlite');
    this.#kept.converted = convertToSpatialite(county.file, file);
    fs.rmSync(file);
    this.#write();
    return null;
  }

  isLoaded(engine: BenchEngine): boolean {
    return this.#kept.loaded[engine.name] !== undefined;
  }

  async load(engine: BenchEngine): Promise<void> {
    if (this.isLoaded(engine)) {
      this.reused.push(engine.name);
      return;
    }
    this.#note(`loading ${engine.name}`);
    const worker = new EngineProcess(engine.name);
    try {
      const landFile = path.join(this.home, 'land.sqlite');
      this.#kept.loaded[engine.name] = await worker.call('load', { landFile, folder: this.folder });
      this.#write();
    } finally {
      worker.end();
    }
  }

  get #file(): string {
    return path.join(this.folder, 'kept.json');
  }

  #read(): Kept | null {
    return fs.existsSync(this.#file) ? (JSON.parse(fs.readFileSync(this.#file, 'utf8')) as Kept) : null;
  }

  #write(): void {
    fs.writeFileSync(this.#file, JSON.stringify(this.#kept, null, 2));
  }
}
