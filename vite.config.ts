/** The renderer's build: everything bundled, nothing fetched from elsewhere, no script or style in the page itself. */
import { execFileSync } from 'node:child_process';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { licencesText } from './engine/bin/licences.mjs';

/** Shown under Settings: everything that is handed out with the pages; and their packages, for the release's SBOM. */
const licences: Plugin = {
  name: 'licences',
  configureServer({ middlewares }) {
    middlewares.use('/licences.txt', (_request, response) => response.end(licencesText(import.meta.dirname)));
  },
  generateBundle(_options, bundle) {
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesText(import.meta.dirname) });
    const files = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
    );
    const packages = files.flatMap(
      (file) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
    );
    const source = JSON.stringify([...new Set(packages)].sort());
    this.emitFile({ type: 'asset', fileName: 'packages.json', source });
  },
};

/** The day of the commit: unlike the day of the build it is the same wherever one builds. Empty outside a checkout. */
function commitDay(): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%cs'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

export default defineConfig({
  root: 'renderer',
  base: '/',
  plugins: [react(), licences],
  define: { commitDay: JSON.stringify(commitDay()) },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2024',
    // Inlined files would be `data:` URLs, which the content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // Its preload helper would stand in the page as a script.
    modulePreload: { polyfill: false },
    sourcemap: false,
    // Read from this disk, once: splitting saves nothing.
    chunkSizeWarningLimit: 3000,
  },
  worker: { format: 'es' },
});
