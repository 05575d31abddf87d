// What other catalogues of software want to know of a release, from one table: `release/texts`. PUBLISHER and HOMEPAGE
// stand for what only the owner knows (docs/release.md, "What only the owner can do").
import fs from 'node:fs';
import path from 'node:path';
import { nodeVersion } from './portable.mjs';
import { manifest } from './stage-app.mjs';

const { version, license } = manifest;
const address = 'https://HOMEPAGE.invalid';
const id = 'PUBLISHER.Platbook';
const summary = 'The offline plat book: land-parcel data on one computer, with no network';
const zipOf = (label) => `platbook-${version}-${label}.zip`;
const inside = `Platbook-${version}`;

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const formula = (mac, linux) => `class Platbook < Formula
  desc "${summary.replace(/^The /, '')}"
  homepage "${address}"
  version "${version}"
  license "${license}"

  on_macos do
    on_arm do
      url "${mac.arm.url}"
      sha256 "${mac.arm.hash}"
    end
    on_intel do
      url "${mac.intel.url}"
      sha256 "${mac.intel.hash}"
    end
  end
  on_linux do
    on_arm do
      url "${linux.aarch64.url}"
      sha256 "${linux.aarch64.hash}"
    end
    on_intel do
      url "${linux.x86_64.url}"
      sha256 "${linux.x86_64.hash}"
    end
  end

  def install
    libexec.install Dir["*"]
    launcher = OS.mac? ? "platbook.command" : "platbook.sh"
    (bin/"platbook").write_exec_script libexec/launcher
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/platbook --version")
  end
end
`;

/** From the .deb, whose files have the places that Flatpak wants. */
const flatpak = (debian) =>
  json({
    id: 'org.platbook.Platbook',
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '25.08',
    sdk: 'org.freedesktop.Sdk',
    command: 'platbook',
    'finish-args': ['--share=network', '--filesystem=home:ro', '--talk-name=org.freedesktop.portal.Desktop'],
    modules: [
      {
        name: 'platbook',
        buildsystem: 'simple',
        'build-commands': [
          'cp -r usr/lib usr/bin usr/share /app/',
          "sed -i 's#/usr/lib/#/app/lib/#g' /app/bin/platbook",
          "cd /app/share && sed -i 's#^Icon=.*#Icon=org.platbook.Platbook#' applications/platbook.desktop && mv applications/platbook.desktop applications/org.platbook.Platbook.desktop",
          'cd /app/share/icons/hicolor/512x512/apps && mv platbook.png org.platbook.Platbook.png',
          "sed -i 's#>platbook.desktop<#>org.platbook.Platbook.desktop<#' /app/share/metainfo/*.xml",
        ],
        sources: [
          {
            type: 'file',
            url: debian.url,
            sha256: debian.hash,
            'dest-filename': 'platbook.deb',
            'only-arches': ['x86_64'],
          },
          { type: 'shell', commands: ['ar x platbook.deb', 'tar xf data.tar.gz'] },
        ],
      },
    ],
  });

/** @param {(file: string) => string} sum the SHA-256 of a file of the release, in hexadecimal */
function texts(sum, time) {
  const download = (file) => ({ url: `${address}/${version}/${file}`, hash: sum(file) });
  const windows = download(zipOf('win-x64'));
  const linux = { x86_64: download(zipOf('linux-x64')), aarch64: download(zipOf('linux-arm64')) };
  const mac = { arm: download(zipOf('macos-arm64')), intel: download(zipOf('macos-x64')) };
  const debian = download(`platbook_${version}_amd64.deb`);
  const winget = (kind, lines) => {
    const schema = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind}.1.10.0.schema.json`;
    const same = [`PackageIdentifier: ${id}`, `PackageVersion: ${version}`];
    return [schema, ...same, ...lines, `ManifestType: ${kind}`, 'ManifestVersion: 1.10.0', ''].join('\n');
  };
  return {
    [`winget/${id}.yaml`]: winget('version', ['DefaultLocale: en-US']),
    [`winget/${id}.installer.yaml`]: winget('installer', [
      'InstallerType: zip',
      'NestedInstallerType: portable',
      'NestedInstallerFiles:',
      `- RelativeFilePath: ${inside}\\platbook.cmd`,
      // Without a link elsewhere, from which the launcher would not find its folder.
      'ArchiveBinariesDependOnPath: true',
      `ReleaseDate: ${time.toISOString().slice(0, 10)}`,
      'Installers:',
      '- Architecture: x64',
      `  InstallerUrl: ${windows.url}`,
      `  InstallerSha256: ${windows.hash.toUpperCase()}`,
    ]),
    [`winget/${id}.locale.en-US.yaml`]: winget('defaultLocale', [
      'PackageLocale: en-US',
      'Publisher: PUBLISHER',
      'PackageName: Platbook',
      `PackageUrl: ${address}`,
      `License: ${license}`,
      `ShortDescription: ${JSON.stringify(summary)}`,
    ]),
    'scoop/platbook.json': json({
      version,
      description: summary,
      homepage: address,
      license,
      architecture: { '64bit': { ...windows, extract_dir: inside } },
      bin: 'platbook.cmd',
      shortcuts: [['platbook.cmd', 'Platbook', '', 'platbook.ico']],
    }),
    'homebrew/platbook.rb': formula(mac, linux),
    'flatpak/org.platbook.Platbook.json': flatpak(debian),
    'docker/Dockerfile': `# docker build -t platbook . && docker run --network host -v platbook:/data platbook
# Platbook listens on 127.0.0.1 alone: without the host's network, "-p 127.0.0.1:4780:4780" finds nothing that answers.
FROM node:${nodeVersion}-bookworm-slim
ADD ${download(`platbook-${version}.tgz`).url} /platbook.tgz
RUN echo "${sum(`platbook-${version}.tgz`)}  /platbook.tgz" | sha256sum --check && npm install --global /platbook.tgz && rm /platbook.tgz
USER node
ENV PLATBOOK_HOME=/data
VOLUME /data
EXPOSE 4780
CMD ["platbook", "serve"]
`,
    'mcp/server.json': json({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.PUBLISHER/platbook',
      title: 'Platbook',
      description: 'Offline land-parcel data: filter, map, value and list parcels of a county',
      version,
      packages: [
        {
          registryType: 'npm',
          identifier: 'platbook',
          version,
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
        },
      ],
    }),
  };
}

/** @param {(file: string) => string} options.sum see `texts` */
export function writeTexts({ out, sum, time }) {
  for (const [name, text] of Object.entries(texts(sum, time))) {
    const file = path.join(out, 'texts', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}
