/** Exports a whole home and reports the result; its parent limits what it may write. */
import { openExportSource } from '../../engine/exporting/export-source.ts';
import { exportFormat, writeExport } from '../../engine/exporting/index.ts';
import { planeOfCode } from '../../engine/importing/formats/crs/reference-system.ts';
import { EngineError } from '../../engine/spec/errors.ts';

const [home = '', format = '', file = ''] = process.argv.slice(2);
const source = openExportSource(home, {
  title: 'lots',
  ids: Array.from({ length: 50 }, (_, i) => i + 1),
  now: new Date(0),
  plane: planeOfCode(26_914),
});
try {
  await writeExport(source, exportFormat(format), file);
  process.stdout.write('done\n');
} catch (error) {
  process.stdout.write(
    error instanceof EngineError ? `${error.code}: ${error.message}\n` : `fault: ${String(error)}\n`,
  );
} finally {
  source.close();
}
