// `npm run kernels`: builds the WASM kernels of the column index. The result is committed, because those who use the
// library have no compiler; a test builds it again and compares byte for byte.
import fs from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..', 'columns');

/** The kernels as WebAssembly, built in memory from the sources in engine/columns/assembly. */
export async function buildKernels() {
  const { main } = await import('assemblyscript/asc');
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

if (process.argv[1] === import.meta.filename) {
  const file = path.join(folder, 'kernels.wasm');
  fs.writeFileSync(file, await buildKernels());
  console.log(`${path.relative(process.cwd(), file)}: ${fs.statSync(file).size} bytes`);
}
