/**
 * The release of Temporal's CLI that `npm start` downloads, and the SHA-256 of each of its archives. They are those of
 * the release's own `checksums.txt`, as package managers keep them, read on 2026-11-27: Linux and macOS from `temporal-cli.hcl` of
 * cashapp/hermit-packages (three of the four also from zph/hermit-packages), Windows from the manifest 1.5.1 of
 * Temporal.TemporalCLI in microsoft/winget-pkgs. Whoever changes the version changes all of them.
 */

/** The newest that `go install` can build; later ones replace a module by a folder of their own. */
export const TEMPORAL_VERSION = '1.5.1';

export const TEMPORAL_ARCHIVES: Readonly<Record<string, string>> = {
  'temporal_cli_1.5.1_linux_amd64.tar.gz': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'temporal_cli_1.5.1_linux_arm64.tar.gz': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'temporal_cli_1.5.1_darwin_amd64.tar.gz':
    'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'temporal_cli_1.5.1_darwin_arm64.tar.gz':
    'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  'temporal_cli_1.5.1_windows_amd64.zip': 'd3b7982a15f3e5716d55a304f18465f625c144f154e52ac45dcfe288eb642eb3',
  'temporal_cli_1.5.1_windows_arm64.zip': '28e7cf32d7fa41d7b2daf4803ebd76897ceb1c1ba5094939e3f0edd119da0f4d',
};
