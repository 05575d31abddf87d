// `npm run kernels [FILE]`: builds the WASM kernels of the column index. The result is committed, because those who use the
// library have no compiler; a test builds it again and compares byte for byte. A process of its own: the compiler replaces
// Array.prototype.sort by one that sorts numbers by size.
import fs from 'node:fs';
import path from 'node:path';
import { main } from 'assemblyscript/asc';

const folder = path.resolve(import.meta.dirname, '..', 'columns');

/** The kernels as WebAssembly, built in memory from the sources in engine/columns/assembly. */
async function buildKernels() {
  const files = new Map();
  const { error, stderr } = await main(
    [
      'index.ts',
      ...['--outFile', 'kernels.wasm', '--runtime', 'stub', '--use', 'abort='],
      ...['--importMemory', '--noExportMemory', '--enable', 'simd'],
      ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
    ],
    {
      readFile: (name, base) => {
        const file = path.resolve(folder, 'assembly', base, name);
        return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
      },
      writeFile: (name, contents) => void files.set(name, contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`the kernels could not be built: ${error.message}\n${stderr.toString()}`);
  return files.get('kernels.wasm');
}

const file = process.argv[2] ?? path.join(folder, 'kernels.wasm');
fs.writeFileSync(file, await buildKernels());
console.log(`${path.relative(process.cwd(), file)}: ${fs.statSync(file).size} bytes`);
