/** `npm run docs`: writes the generated pages. */
import fs from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';
import { generatedPages } from './pages.ts';

for (const [file, page] of Object.entries(generatedPages)) {
  fs.writeFileSync(path.join(packageRoot, file), page());
  console.log(file);
}
